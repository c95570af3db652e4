"""The configuration files: typed, expanded where they may be, and every fault in one list with its place and what was meant."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from chronicle import configuration, env, installed
from interactions.configuration import SEGMENTATIONS, Configuration

MODEL = "defaults:\n  fast_llm: small\nmodels:\n  small:\n    url: {url}\n    model: m\n"
ON = "plugins:\n  echo:\n    enabled: true\n    app: tests.echo_mode\n    modes: [echo]\n"


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Write these files and load the directory they make."""
    monkeypatch.chdir(tmp_path)

    def load(files: Mapping[str, str], **variables: str) -> Configuration:
        for name, content in {"config.yml": "", "plugins.yml": ON, **files}.items():
            path = tmp_path / "config" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return configuration.load(tmp_path / "config", lookup=variables.get)

    return load


def said(config: Configuration) -> list[str]:
    return [str(fault) for fault in config.faults]


def test_the_households_time_zone_is_one_that_is_known(read: Any) -> None:
    assert read({}).host.time_zone == "Asia/Kolkata"
    assert read({"config.yml": "time_zone: Europe/Rome\n"}).host.time_zone == "Europe/Rome"
    faults = said(read({"config.yml": "time_zone: Asia/Kolkatta\n"}))
    assert len(faults) == 1
    assert "time_zone" in faults[0]
    assert "did you mean 'Asia/Kolkata'?" in faults[0]


# ---- language models and their keys ---------------------------------------------------------------------------------


def test_a_key_is_read_from_the_variable_that_it_names_and_shows_nowhere(read: Any) -> None:
    config = read({"config.yml": MODEL.format(url="https://llm.example/v1") + "    key: LLM_KEY\n"}, LLM_KEY="sk-secret")
    assert said(config) == []
    assert config.keys == {"small": "sk-secret"}
    assert "sk-secret" not in repr(config)


def test_a_key_that_is_not_there_stops_the_start(read: Any) -> None:
    (fault,) = said(read({"config.yml": MODEL.format(url="https://llm.example/v1") + "    key: LLM_KEY\n"}))
    assert "'models.small.key' names environment variable LLM_KEY, which is not set" in fault
    assert "config/config.yml:7" in fault


@pytest.mark.parametrize(
    ("url", "key", "good"),
    [
        ("https://llm.example/v1", True, True),
        ("http://127.0.0.1:8080/v1", True, True),
        ("http://llm.example/v1", False, True),
        ("http://llm.example/v1", True, False),
        ("https://me:word@llm.example/v1", False, False),
        ("http://me:word@llm.example/v1", False, False),
        ("ftp://llm.example/v1", False, False),
        ("llm.example/v1", False, False),
        ("https://llm.example:port/v1", False, False),
    ],
)
def test_no_key_travels_in_the_clear(read: Any, url: str, key: bool, good: bool) -> None:
    file = MODEL.format(url=url) + ("    key: LLM_KEY\n" if key else "")
    faults = said(read({"config.yml": file}, LLM_KEY="sk-secret"))
    assert [fault for fault in faults if "'models.small.url' must be an https address" in fault] == faults
    assert bool(faults) is not good


# ---- what is wrong is named -----------------------------------------------------------------------------------------


@pytest.mark.promise("P080")
@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        (
            "config.yml",
            "assistant:\n  nmaes: [Hermes]\n",
            "config: unknown key 'assistant.nmaes' (config/config.yml:2); did you mean 'names'?",
        ),
        (
            "config.yml",
            "default:\n  live_segmentation: streaming_stt\n",
            "config: unknown key 'default' (config/config.yml:1); did you mean 'defaults'?",
        ),
        (
            "config.yml",
            "models:\n  small:\n    url: http://localhost\n    model: m\n    kye: NAME\n",
            "config: unknown key 'models.small.kye' (config/config.yml:5); did you mean 'key'?",
        ),
        (
            "plugins.yml",
            "plugins:\n  echo:\n    enabled: true\n    app: tests.echo_mode\n    mods: [echo]\n",
            "echo: unknown key 'mods' (config/plugins.yml:5); did you mean 'modes'?",
        ),
        (
            "plugins.yml",
            "plugin:\n  echo: {}\n",
            "plugins: unknown key 'plugin' (config/plugins.yml:1); did you mean 'plugins'?",
        ),
        (
            "plugins.yml",
            ON + "  echo:\n    enabled: false\n",
            "plugins: key 'plugins.echo' stands twice: config/plugins.yml:2 and config/plugins.yml:6 (config/plugins.yml:6)",
        ),
        (
            "plugins.yml",
            "plugins:\n  tea:\n    app: tests.tea\n    enabled: true\n    app: tests.other\n",
            "plugins: key 'plugins.tea.app' stands twice: config/plugins.yml:3 and config/plugins.yml:5 (config/plugins.yml:5)",
        ),
        (
            "plugins/ehco/config.yml",
            "greeting: hello\n",
            "ehco: has settings but stands in no plugins.yml (config/plugins/ehco/config.yml:1); did you mean 'echo'?",
        ),
    ],
)
def test_an_unknown_misspelt_or_double_key_is_named_with_its_line_and_the_nearest(
    read: Any, name: str, content: str, fault: str
) -> None:
    assert said(read({name: content})) == [fault]


@pytest.mark.promise("P070")
@pytest.mark.parametrize("modes", ["echo", "[echo, '']", "[1]", "{echo: true}", "[[echo]]"])
def test_modes_that_are_no_list_of_words_are_refused(read: Any, modes: str) -> None:
    faults = said(read({"plugins.yml": f"plugins:\n  echo:\n    enabled: true\n    modes: {modes}\n"}))
    assert len(faults) == 1
    assert faults[0].startswith("echo: 'modes")
    assert "(config/plugins.yml:4)" in faults[0]


@pytest.mark.parametrize(
    ("limit", "value", "fault"),
    [
        ("dedupe_window_s", "-1", "should be greater than or equal to 0"),
        ("dedupe_window_s", "61", "should be less than or equal to 60"),
        ("llm_attempt_s", "0", "should be greater than or equal to 0.2"),
        ("llm_attempt_s", "'3'", "should be a valid number"),
    ],
)
def test_a_limit_out_of_its_range_is_refused(read: Any, limit: str, value: str, fault: str) -> None:
    config = read({"config.yml": f"limits:\n  {limit}: {value}\n"})
    assert said(config) == [f"config: 'limits.{limit}' {fault} (config/config.yml:2)"]


def test_a_limit_that_is_changed_is_obeyed(read: Any) -> None:
    config = read({"config.yml": "limits:\n  dedupe_window_s: 2.5\n"})
    assert not config.faults
    assert config.host.limits.dedupe_window_s == 2.5


@pytest.mark.promise("P223")
def test_an_unknown_segmentation_is_refused_with_the_nearest_known_one(read: Any) -> None:
    faults = said(read({"config.yml": "defaults:\n  live_segmentation: streamin_stt\n"}))
    text = "'defaults.live_segmentation' has no segmentation 'streamin_stt'; there are streaming_stt, windowed_batch"
    assert faults == [f"config: {text} (config/config.yml:2); did you mean 'streaming_stt'?"]


@pytest.mark.promise("P223")
def test_a_segmentation_is_one_entry_of_a_table(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(SEGMENTATIONS["streaming_stt"])
    monkeypatch.setitem(SEGMENTATIONS, "turn_segmenter", kind("turn_segmenter", open_turns=True))
    assert not read({"config.yml": "defaults:\n  live_segmentation: turn_segmenter\n"}).faults


def test_a_model_that_nobody_describes_is_refused(read: Any) -> None:
    assert "'defaults.fast_llm' names model 'small'" in said(read({"config.yml": "defaults:\n  fast_llm: small\n"}))[0]


@pytest.mark.parametrize(
    "content",
    ["assistant: [", "- a\n- b\n", "a: !!python/object:os.system {}\n", "? [a, b]\n: c\n", "a: &x [*x]\n", "a: \x00\n", "\t"],
)
def test_a_file_that_cannot_be_read_as_configuration_is_a_fault_and_not_a_crash(read: Any, content: str) -> None:
    assert said(read({"config.yml": content}))


MISSING = "is not there; write it (an empty one will do), or set CHRONICLE_CONFIG_DIR to the folder that has it"
CLOSED = "may not be read by this process; let its user read it, and enter the folder that it lies in"
ALL_CLOSED = [f"{owner}: {CLOSED} (config/{owner}.yml:1)" for owner in ("config", "plugins")]
NOBODY = 65534
WRONG_TYPE = "config: 'time_zone' should be a valid string (config/config.yml:1)"


def test_a_missing_file_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    faults = said(configuration.load(tmp_path / "nowhere", lookup=lambda name: None))
    assert faults == [f"config: {MISSING} (nowhere/config.yml:1)", f"plugins: {MISSING} (nowhere/plugins.yml:1)"]


def test_a_missing_list_of_plugins_is_told_with_whatever_else_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yml").write_text("time_zone: 3\n")
    faults = said(configuration.load(tmp_path / "config", lookup=lambda name: None))
    assert faults == [WRONG_TYPE, f"plugins: {MISSING} (config/plugins.yml:1)"]


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("plugins.yml", "plugins:\n  # बंद\n  caf\xe9: {}\n".encode("latin-1", "ignore"), 3),
        ("plugins.yml", ON.encode("utf-16"), 1),
        ("plugins/echo/config.yml", b"greeting: a\r\nsugar: \xff\r\n", 2),
    ],
)
def test_a_file_that_is_not_utf_8_is_named_with_the_line_where_it_stops_being(
    read: Any, tmp_path: Path, file: str, content: bytes, line: int
) -> None:
    read({file: "", "config.yml": "time_zone: 3\n"})
    (tmp_path / "config" / file).write_bytes(content)
    owner = "echo" if "echo" in file else "plugins"
    assert said(configuration.load(tmp_path / "config", lookup=lambda name: None)) == [
        WRONG_TYPE,
        f"{owner}: is not UTF-8 from this line on; save it as UTF-8 (config/{file}:{line})",
    ]


def test_a_folder_in_the_place_of_a_file_is_named(read: Any, tmp_path: Path) -> None:
    read({"config.yml": "time_zone: 3\n"})
    (tmp_path / "config" / "plugins.yml").unlink()
    (tmp_path / "config" / "plugins.yml").mkdir()
    faults = said(configuration.load(tmp_path / "config", lookup=lambda name: None))
    assert faults == [WRONG_TYPE, "plugins: is a folder; a file of this name belongs there (config/plugins.yml:1)"]


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where this process is nobody special: what is closed is closed to it, also where root runs the tests."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        monkeypatch.chdir(folder)
        if os.getuid() == 0:
            os.chown(folder, NOBODY, -1)
            os.seteuid(NOBODY)
        yield folder
        os.seteuid(os.getuid())


@pytest.mark.promise("P080")
@pytest.mark.parametrize(
    ("closed", "mode", "faults"),
    [
        (".", 0o000, ALL_CLOSED),
        (".", 0o444, ALL_CLOSED),
        (".", 0o111, [WRONG_TYPE, f"config: {CLOSED} (config:1)"]),
        ("config.yml", 0o000, [f"config: {CLOSED} (config/config.yml:1)"]),
        ("plugins.yml", 0o000, [WRONG_TYPE, f"plugins: {CLOSED} (config/plugins.yml:1)"]),
        ("plugins", 0o000, [WRONG_TYPE, f"echo: {CLOSED} (config/plugins/echo/config.yml:1)"]),
        ("plugins/echo", 0o000, [WRONG_TYPE, f"echo: {CLOSED} (config/plugins/echo/config.yml:1)"]),
        ("plugins/echo", 0o111, [WRONG_TYPE, f"echo: {CLOSED} (config/plugins/echo:1)"]),
        ("plugins/echo/config.yml", 0o000, [WRONG_TYPE, f"echo: {CLOSED} (config/plugins/echo/config.yml:1)"]),
        ("plugins/of_nobody", 0o000, [WRONG_TYPE, f"of_nobody: {CLOSED} (config/plugins/of_nobody:1)"]),
    ],
)
def test_what_may_not_be_read_is_named_with_whatever_else_is_wrong(
    stranger: Path, closed: str, mode: int, faults: list[str]
) -> None:
    for name, content in {
        "config.yml": "time_zone: 3\n",
        "plugins.yml": ON,
        "plugins/echo/config.yml": "",
        "plugins/of_nobody/note.txt": "",
    }.items():
        (stranger / "config" / name).parent.mkdir(parents=True, exist_ok=True)
        (stranger / "config" / name).write_text(content)
    (stranger / "config" / closed).chmod(mode)
    assert said(configuration.load(stranger / "config", lookup=lambda name: None)) == faults


@pytest.mark.parametrize("value", ["maybe", "1", "0.0", "null", "'true'", "[]"])
def test_on_off_or_draining_and_nothing_else(read: Any, value: str) -> None:
    faults = said(read({"plugins.yml": ON.replace("true", value), "config.yml": "time_zone: 3\n"}))
    assert faults == [WRONG_TYPE, "echo: 'enabled' should be true, false or 'draining' (config/plugins.yml:3)"]


def test_all_faults_of_all_files_come_together(read: Any) -> None:
    config = read(
        {
            "config.yml": "assistent: {}\ndefaults:\n  live_segmentation: slow\n",
            "plugins.yml": ON + "    prioritty: 3\n  recorder:\n    enabled: perhaps\n",
        }
    )
    assert len(config.faults) == 3  # a file whose shape is wrong is not asked about its values as well


# ---- variables ------------------------------------------------------------------------------------------------------


@pytest.mark.promise("P079")
@pytest.mark.parametrize(
    ("written", "variables", "value"),
    [
        ("${WORD}", {"WORD": "hello"}, "hello"),
        ("${WORD:-hello}", {}, "hello"),
        ("${WORD:-hello}", {"WORD": ""}, "hello"),
        ("${FLAG}", {"FLAG": "false"}, False),
        ("${FLAG:-true}", {}, True),
        ("${NUMBER}", {"NUMBER": "12"}, 12),
        ("${NUMBER:-1.5}", {}, 1.5),
        ("${WORD:-}", {}, None),
        ('"${NUMBER}"', {"NUMBER": "12"}, "12"),
        ("https://${HOST}:${PORT:-443}/im", {"HOST": "swiggy.example"}, "https://swiggy.example:443/im"),
        ("${WORD}", {"WORD": "a: [b, ${OTHER}]"}, "a: [b, ${OTHER}]"),
        ("[ '${WORD}' ]", {"WORD": "x"}, ["x"]),
    ],
)
def test_a_variable_becomes_what_would_have_been_written_there(
    read: Any, written: str, variables: dict[str, str], value: Any
) -> None:
    config = read({"plugins/echo/config.yml": f"greeting: {written}\n"}, **variables)
    assert not config.faults
    assert config.plugin_settings["echo"]["greeting"] == value


@pytest.mark.promise("P079")
def test_a_missing_variable_without_a_default_is_named_with_its_line(read: Any) -> None:
    faults = said(read({"plugins/echo/config.yml": "# a comment\ngreeting: ${GREETING}\n"}))
    assert len(faults) == 1
    assert faults[0].startswith("echo: environment variable GREETING is not set")
    assert "(config/plugins/echo/config.yml:2)" in faults[0]


@pytest.mark.promise("P079", "P162")
def test_the_files_of_a_plugin_that_is_off_are_not_read(read: Any) -> None:
    config = read({"plugins.yml": ON.replace("true", "false"), "plugins/echo/config.yml": "greeting: ${GREETING}\nx: [\n"})
    assert not config.faults
    assert config.plugin_settings == {}


@pytest.mark.promise("P079")
@pytest.mark.parametrize(
    "written",
    ["${WORD", '"${WORD-hello}"', "${}", "${1WORD}", "$${WORD", "a ${WORD} b ${ WORD }", "${WORD:-${OTHER}}", "'${WORD}${'"],
)
def test_what_only_looks_like_a_variable_is_no_value(read: Any, written: str) -> None:
    (fault,) = read({"plugins/echo/config.yml": f"greeting: {written}\n"}, WORD="s3cret").faults
    assert fault.text == "'${' begins no variable here; write ${NAME} or ${NAME:-default}, with no brace inside"
    assert fault.place == "config/plugins/echo/config.yml:1"


@pytest.mark.promise("P079")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.yml", "assistant:\n  names: ['${NAME}']\n"),
        ("plugins.yml", "plugins:\n  echo: {enabled: true, app: tests.echo_mode,\n    modes: ['${NAME}']}\n"),
        ("plugins.yml", "# no value that could be read\nplugins: ${NAME:-{}}\n"),
    ],
)
def test_a_variable_in_a_file_of_the_host_is_refused_and_not_taken_as_it_stands(read: Any, name: str, content: str) -> None:
    (fault,) = said(read({name: content}, NAME="Hermes"))
    assert "variables are replaced in plugins/<id>/config.yml only; write the value itself" in fault
    assert f"(config/{name}:{content.count(chr(10))})" in fault


@pytest.mark.promise("P079")
@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("plugins/echo/config.yml", "greeting: ${WORD}\n", 1),
        ("config.yml", MODEL.format(url="https://llm.example/v1") + "    key: WORD\n", 7),
    ],
)
def test_a_variable_that_cannot_be_read_is_a_line_of_the_list_too(read: Any, file: str, content: str, line: int) -> None:
    def broken(name: str) -> str:
        raise env.WrongVariableError(f"{name}_FILE", "cannot read /run/secrets/word (FileNotFoundError)")

    read({file: content})
    (fault,) = configuration.load(Path("config"), lookup=broken).faults
    assert fault.text == "environment variable WORD_FILE: cannot read /run/secrets/word (FileNotFoundError)"
    assert fault.place == f"config/{file}:{line}"


@pytest.mark.promise("P079")
def test_a_key_is_no_variable(read: Any) -> None:
    (fault,) = said(read({"plugins/echo/config.yml": "${NAME}: hello\n"}, NAME="greeting"))
    assert "variables stand in values only" in fault


# ---- which apps are installed ---------------------------------------------------------------------------------------


@pytest.mark.promise("P071")
@pytest.mark.parametrize(("enabled", "apps"), [("true", ["tests.echo_mode"]), ("draining", ["tests.echo_mode"]), ("false", [])])
def test_a_plugin_is_installed_only_while_it_is_on_or_draining(read: Any, enabled: str, apps: list[str]) -> None:
    recorder = "  recorder:\n    enabled: true\n    app: chronicle.plugins.recorder\n    events: [utterance]\n"
    config = read({"plugins.yml": ON.replace("true", enabled) + recorder})
    assert installed.apps(config) == apps


@pytest.mark.promise("P174")
@pytest.mark.parametrize("directory", ["config", "config/demo"])
def test_what_is_shipped_holds_no_credential(directory: str) -> None:
    root = Path(__file__).resolve().parents[2]
    for file in (root / directory).rglob("*.yml"):
        for line in file.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if any(word in name.lower() for word in ("secret", "token", "key", "password")) and not name.lstrip().startswith(
                "#"
            ):
                assert value.strip().startswith('"${'), f"{file.name}: {name.strip()}"


@pytest.mark.promise("P237")
def test_as_shipped_the_groceries_are_off_and_the_demonstration_has_them_on() -> None:
    root = Path(__file__).resolve().parents[2]
    shipped, demo = (
        configuration.load(root / name, lookup={"SWIGGY_LINKED_USER_ID": "asha"}.get) for name in ("config", "config/demo")
    )
    assert not shipped.faults
    assert not demo.faults
    assert not any(entry.on for entry in shipped.plugins.values())
    assert demo.plugins["swiggy_instamart"].enabled is True


# ---- files that are made to hurt whoever reads them -------------------------------------------------------------------


@pytest.mark.promise("P080")
@pytest.mark.parametrize(
    "value", ['!!int ""', '!!float ""', "!!bool maybe", "!!timestamp soon", "!!set x", "!!binary ?", "!!map x"]
)
def test_a_value_that_its_tag_cannot_make_is_named_with_its_line(read: Any, value: str) -> None:
    (fault,) = said(read({"config.yml": f"limits:\n  dedupe_window_s: {value}\n"}))
    assert "config/config.yml:2" in fault


@pytest.mark.promise("P080")
@pytest.mark.parametrize("value", ["[" * 3000 + "]" * 3000, "{a: " * 400 + "}" * 400, "- " * 3000 + "x"])
def test_a_file_that_is_nested_without_end_is_named(read: Any, value: str) -> None:
    faults = said(read({"config.yml": f"models: {value}\n" if value[0] != "-" else value}))
    assert any("nested too deeply" in fault and "config/config.yml" in fault for fault in faults)


@pytest.mark.promise("P080")
def test_a_file_whose_aliases_multiply_is_named_and_not_unfolded(read: Any) -> None:
    bomb = "models:\n  a0: &a0 x\n" + "".join(f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    assert any("too large" in fault and "config/config.yml" in fault for fault in said(read({"config.yml": bomb})))
