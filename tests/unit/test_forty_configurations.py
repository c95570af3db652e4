"""Forty configurations with one fault each: one line, with plugin, fault, file, line, and what to write instead.

Each is the right one below with one edit, read from real files, with plugins that are packages on the disk.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.apps import AppConfig, apps

from chronicle import configuration, installed
from interactions import registry
from interactions.registry import Registry

VARIABLES = {"LAMP_TOKEN": "s3cret-t0ken", "THREE": "three"}

HOUSE = {
    "config.yml": """\
assistant:
  names: [Hermes]
defaults:
  live_segmentation: streaming_stt
operator:
  alarm:
    plugin: lamp
    target: operator
""",
    "plugins.yml": """\
plugins:
  tea:
    enabled: true
    app: tea_house
    modes: [tea]
    phrases:
      tea: [boil the kettle]
  lamp:
    enabled: true
    app: lamps
    events: [utterance]
    condition: keyword_anywhere
    keywords: [lamp]
  bread:
    enabled: false
    app: no.such.bakery
    modes: [bread]
""",
    "plugins/lamp/config.yml": """\
# where the lamps are
url: http://127.0.0.1:9/lamps
token: "${LAMP_TOKEN}"
level: 3
""",
    "plugins/tea/config.yml": "cups: 2\n",
}

MODE = """
from interactions.contracts import PhaseSpec, Step
from interactions.modes import Mode

class {name}(Mode):
    key = "{key}"
    phrases = ("{phrase}",)
    first_phase = "open"
    phases = {{"open": PhaseSpec(stop="closes", help="explains", silence="asks", deadline="closes")}}

    def step(self, standing, event):
        return Step()
"""
APP = """
from interactions.modes import ModeConfig

class Config(ModeConfig):
    name = "{package}"
    mode = "mode.{name}"
    required_settings = {required}
    default_settings = {{"sugar": 1, "idle_s": None, "hard_s": None}}
"""
LAMP = """
from pydantic import BaseModel, ConfigDict, Field, model_validator
from interactions.plugins import OrdinaryPlugin

class Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    url: str
    token: str = Field(repr=False)
    level: int = Field(1, ge=0, le=9)
    since: str = ""

    @model_validator(mode="after")
    def private(self):
        if self.url.startswith("ftp"):
            raise ValueError(f"the token {self.token} would travel in the clear; write an https url")
        return self

class Lamp(OrdinaryPlugin):
    id = "lamp"
    settings_model = Settings

    def handle(self, event):
        return None
"""
PACKAGES = {
    "tea_house/__init__.py": "",
    "tea_house/apps.py": APP.format(package="tea_house", name="TeaMode", required=("cups",)),
    "tea_house/mode.py": MODE.format(name="TeaMode", key="tea", phrase="make tea"),
    "pot_house/__init__.py": "",
    "pot_house/apps.py": APP.format(package="pot_house", name="PotMode", required=()),
    "pot_house/mode.py": MODE.format(name="PotMode", key="pot", phrase="fill the pot"),
    "second_house/__init__.py": "",
    "second_house/apps.py": APP.format(package="second_house", name="SecondMode", required=()),
    "second_house/mode.py": MODE.format(name="SecondMode", key="tea", phrase="brew it"),
    "other/__init__.py": "",
    "other/tea_house/__init__.py": "",
    "other/tea_house/apps.py": APP.format(package="other.tea_house", name="PotMode", required=()),
    "other/tea_house/mode.py": MODE.format(name="PotMode", key="pot", phrase="fill the pot"),
    "leaky/__init__.py": "raise OSError('no such pipe')\n",
    "lamps.py": LAMP,
}

POT = "  pot:\n    enabled: true\n    app: {app}\n    modes: [pot]\n"
MODEL = "models:\n  small:\n    url: {url}\n    model: m\n{more}"


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Write the right files with these changes, and let the door look at them."""
    here = sorted(sys.modules)
    for name, content in PACKAGES.items():
        path = tmp_path / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))

    def look(files: Mapping[str, str | None]) -> Registry:
        for name, content in {**HOUSE, **files}.items():
            if content is not None:
                (tmp_path / "config" / name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / "config" / name).write_text(content)
        beside = [app.name for app in apps.get_app_configs() if app.name.startswith("django.")]
        found = configuration.load(tmp_path / "config", lookup=VARIABLES.get, beside=beside)
        for app in installed.apps(found):  # as Django would, were this the settings' directory
            made = AppConfig.create(app)
            monkeypatch.setitem(apps.app_configs, made.label, made)
        return registry.examine(found)

    yield look
    for name in set(sys.modules) - set(here):
        if name.partition(".")[0] in {path.partition("/")[0].removesuffix(".py") for path in PACKAGES}:
            del sys.modules[name]
    importlib.invalidate_caches()


def edited(file: str, old: str, new: str) -> dict[str, str | None]:
    """One edit of the right file; without ``old`` a line more, without ``new`` and ``old`` the file is not there."""
    right = HOUSE.get(file, "")
    if not old:
        return {file: right + new if new else None}
    assert right.count(old) == 1, (file, old)
    return {file: right.replace(old, new)}


# file, what stands there, what was written instead, what the door says
WRONG: dict[str, tuple[str, str, str, str]] = {
    # ---- config.yml
    "a misspelt key": (
        "config.yml",
        "  names:",
        "  nmaes:",
        "config: unknown key 'assistant.nmaes' (config/config.yml:2); did you mean 'names'?",
    ),
    "a misspelt section": (
        "config.yml",
        "defaults:",
        "default:",
        "config: unknown key 'default' (config/config.yml:3); did you mean 'defaults'?",
    ),
    "a key by its old name": (
        "config.yml",
        "  names:",
        "  wake_words:",
        "config: unknown key 'assistant.wake_words' (config/config.yml:2); did you mean 'names'?",
    ),
    "a key that is like no other": (
        "config.yml",
        "",
        "colour: blue\n",
        (
            "config: unknown key 'colour'; known keys: time_zone, defaults, assistant, models, limits, operator"
            " (config/config.yml:9)"
        ),
    ),
    "a word where a list belongs": (
        "config.yml",
        "[Hermes]",
        "Hermes",
        "config: 'assistant.names' should be a valid list (config/config.yml:2)",
    ),
    "a name without a word": (
        "config.yml",
        "[Hermes]",
        "[Hermes, '!?']",
        "config: 'assistant.names.1' holds no word that could be said; write one, or leave it out (config/config.yml:2)",
    ),
    "a name twice": (
        "config.yml",
        "[Hermes]",
        "[Hermes, hermes!]",
        "config: 'assistant.names' holds 'hermes!' at 2 and 'Hermes' at 1: leave one out (config/config.yml:2)",
    ),
    "an unknown segmentation": (
        "config.yml",
        "streaming_stt",
        "windowed",
        (
            "config: 'defaults.live_segmentation' has no segmentation 'windowed'; there are streaming_stt, windowed_batch"
            " (config/config.yml:4); did you mean 'windowed_batch'?"
        ),
    ),
    "a section twice": (
        "config.yml",
        "",
        "assistant: {}\n",
        "config: key 'assistant' stands twice: config/config.yml:1 and config/config.yml:9 (config/config.yml:9)",
    ),
    "a variable in a file of the host": (
        "config.yml",
        "[Hermes]",
        "['${NAME}']",
        "config: variables are replaced in plugins/<id>/config.yml only; write the value itself (config/config.yml:2)",
    ),
    "a limit out of its range": (
        "config.yml",
        "",
        "limits:\n  dedupe_window_s: 61\n",
        "config: 'limits.dedupe_window_s' should be less than or equal to 60 (config/config.yml:10)",
    ),
    "a time zone that is nowhere": (
        "config.yml",
        "",
        "time_zone: Asia/Kolkatta\n",
        "config: 'time_zone' is no known time zone: 'Asia/Kolkatta'; did you mean 'Asia/Kolkata'? (config/config.yml:9)",
    ),
    "a model that nobody describes": (
        "config.yml",
        "  live_segmentation: streaming_stt\n",
        "  fast_llm: smal\nmodels:\n  small: {url: 'http://127.0.0.1:9/v1', model: m}\n",
        (
            "config: 'defaults.fast_llm' names model 'smal', which 'models' does not describe"
            " (config/config.yml:4); did you mean 'small'?"
        ),
    ),
    "a key that is not there": (
        "config.yml",
        "  live_segmentation: streaming_stt\n",
        "  fast_llm: small\n" + MODEL.format(url="https://llm.example/v1", more="    key: LLM_KEY\n"),
        (
            "config: 'models.small.key' names environment variable LLM_KEY, which is not set; set it or leave the key out"
            " (config/config.yml:9)"
        ),
    ),
    "a key in place of its variable": (
        "config.yml",
        "",
        MODEL.format(url="https://llm.example/v1", more="    key: sk-s3cret\n"),
        "config: 'models.small.key' string should match pattern '^[A-Za-z_][A-Za-z0-9_]*$' (config/config.yml:13)",
    ),
    "a model's address in the clear": (
        "config.yml",
        "",
        MODEL.format(url="http://llm.example/v1", more="    key: LAMP_TOKEN\n"),
        (
            "config: 'models.small.url' must be an https address (http only without a key, or for this machine)"
            " (config/config.yml:11)"
        ),
    ),
    "what is no YAML": (
        "config.yml",
        "[Hermes]",
        "[Hermes",
        "config: is not YAML: expected ',' or ']', but got ':' (config/config.yml:3)",
    ),
    "an alarm to a plugin that is not listed": (
        "config.yml",
        "plugin: lamp",
        "plugin: lampe",
        (
            "config: 'operator.alarm.plugin' names 'lampe', which plugins.yml does not list"
            " (config/config.yml:7); did you mean 'lamp'?"
        ),
    ),
    "an alarm to a plugin that is off": (
        "config.yml",
        "plugin: lamp",
        "plugin: bread",
        "config: 'operator.alarm.plugin' names 'bread', which is off; enable it in plugins.yml (config/config.yml:7)",
    ),
    "an alarm to a plugin that delivers nothing": (
        "config.yml",
        "plugin: lamp",
        "plugin: tea",
        "config: 'operator.alarm.plugin' names 'tea', which only brings modes and delivers nothing (config/config.yml:7)",
    ),
    # ---- plugins.yml
    "a misspelt list": (
        "plugins.yml",
        "plugins:",
        "plugin:",
        "plugins: unknown key 'plugin' (config/plugins.yml:1); did you mean 'plugins'?",
    ),
    "a misspelt key of a plugin": (
        "plugins.yml",
        "    modes: [tea]",
        "    mods: [tea]",
        "tea: unknown key 'mods' (config/plugins.yml:5); did you mean 'modes'?",
    ),
    "a misspelt key by its old name": (
        "plugins.yml",
        "    phrases:\n",
        "    trigers:\n",
        "tea: unknown key 'trigers' (config/plugins.yml:6); did you mean 'phrases'?",
    ),
    "a plugin's key by its old name": (
        "plugins.yml",
        "    phrases:\n",
        "    triggers:\n",
        "tea: unknown key 'triggers' (config/plugins.yml:6); did you mean 'phrases'?",
    ),
    "two blocks of modes": (
        "plugins.yml",
        "    modes: [tea]\n",
        "    modes: [tea]\n    modes: []\n",
        "plugins: key 'plugins.tea.modes' stands twice: config/plugins.yml:5 and config/plugins.yml:6 (config/plugins.yml:6)",
    ),
    "a plugin twice": (
        "plugins.yml",
        "",
        "  lamp:\n    enabled: false\n",
        "plugins: key 'plugins.lamp' stands twice: config/plugins.yml:8 and config/plugins.yml:18 (config/plugins.yml:18)",
    ),
    "a mode that is no list": (
        "plugins.yml",
        "modes: [tea]",
        "modes: tea",
        "tea: 'modes' should be a valid list (config/plugins.yml:5)",
    ),
    "a mode twice": (
        "plugins.yml",
        "modes: [tea]",
        "modes: [tea, tea]",
        "tea: 'modes' holds 'tea' at 2 and 'tea' at 1: leave one out (config/plugins.yml:5)",
    ),
    "a mode that is not declared": (
        "plugins.yml",
        "modes: [tea]",
        "modes: [tea, teas]",
        "tea: lists unknown mode 'teas' (config/plugins.yml:5); did you mean 'tea'?",
    ),
    "a mode like no other": (
        "plugins.yml",
        "modes: [tea]",
        "modes: [tea, coffee]",
        "tea: lists unknown mode 'coffee'; 'tea_house' declares tea (config/plugins.yml:5)",
    ),
    "a state that is none": (
        "plugins.yml",
        "  tea:\n    enabled: true",
        "  tea:\n    enabled: drainin",
        "tea: 'enabled' should be true, false or 'draining' (config/plugins.yml:3); did you mean 'draining'?",
    ),
    "a condition that is none": (
        "plugins.yml",
        "condition: keyword_anywhere",
        "condition: keyword",
        (
            "lamp: 'condition' should be 'always', 'wake_word', 'keyword_anywhere' or 'acoustic_wake_word'"
            " (config/plugins.yml:12); did you mean 'keyword_anywhere'?"
        ),
    ),
    "a condition without its keywords": (
        "plugins.yml",
        "    keywords: [lamp]\n",
        "",
        "lamp: has condition keyword_anywhere and no keywords; list them (config/plugins.yml:12)",
    ),
    "keywords that nothing looks at": (
        "plugins.yml",
        "condition: keyword_anywhere",
        "condition: always",
        (
            "lamp: has keywords, at which condition always never looks; leave them out or write keyword_anywhere or wake_word"
            " (config/plugins.yml:13)"
        ),
    ),
    "an event that is none": (
        "plugins.yml",
        "[utterance]",
        "[utterances]",
        "lamp: 'events.0' should be 'utterance' (config/plugins.yml:11); did you mean 'utterance'?",
    ),
    "a priority that is no number": (
        "plugins.yml",
        "    keywords: [lamp]\n",
        "    keywords: [lamp]\n    priority: high\n",
        "lamp: 'priority' should be a valid integer (config/plugins.yml:14)",
    ),
    "phrases for a mode that is not listed": (
        "plugins.yml",
        "      tea: [boil",
        "      teas: [boil",
        "tea: has phrases for mode 'teas', which is not listed (config/plugins.yml:7); did you mean 'tea'?",
    ),
    "a phrase that is a universal word": (
        "plugins.yml",
        "[boil the kettle]",
        "[boil the kettle, stop]",
        (
            "tea: phrase 'stop' of mode 'tea' can never open it: it says 'stop', whatever is open; choose other words"
            " (config/plugins.yml:7)"
        ),
    ),
    "a phrase behind a courtesy": (
        "plugins.yml",
        "[boil the kettle]",
        "[please boil the kettle]",
        (
            "tea: phrase 'please boil the kettle' of mode 'tea' can never open it: 'please' is taken off before a phrase"
            " is looked for; write 'boil the kettle' (config/plugins.yml:7)"
        ),
    ),
    "a phrase behind a name": (
        "plugins.yml",
        "[boil the kettle]",
        "\n        - boil the kettle\n        - Hermes, tea time",
        (
            "tea: phrase 'hermes tea time' of mode 'tea' can never open it: 'hermes' is taken off before a phrase is"
            " looked for; write 'tea time' (config/plugins.yml:9)"
        ),
    ),
    "two modes with one phrase": (
        "plugins.yml",
        "",
        POT.format(app="pot_house") + "    phrases:\n      pot: [Boil the kettle!]\n",
        (
            "pot: phrase 'boil the kettle' of mode 'pot' is also a phrase 'boil the kettle' of mode 'tea' (plugin 'tea',"
            " config/plugins.yml:7); change one of them (config/plugins.yml:23)"
        ),
    ),
    "a phrase that begins a declared one": (
        "plugins.yml",
        "",
        POT.format(app="pot_house") + "    phrases:\n      pot: [make]\n",
        (
            "pot: phrase 'make' of mode 'pot' overlaps the phrase 'make tea' of mode 'tea' (plugin 'tea',"
            " packages/tea_house/mode.py:5); change one of them (config/plugins.yml:23)"
        ),
    ),
    "one mode of two plugins": (
        "plugins.yml",
        "",
        "  second:\n    enabled: true\n    app: second_house\n    modes: [tea]\n",
        "second: mode 'tea' already belongs to plugin 'tea' (config/plugins.yml:5); list it once (config/plugins.yml:21)",
    ),
    "one app of two plugins": (
        "plugins.yml",
        "",
        "  second:\n    enabled: true\n    app: tea_house\n    modes: []\n",
        (
            "second: app 'tea_house' is already brought in by plugin 'tea' (config/plugins.yml:4); leave one out"
            " (config/plugins.yml:20)"
        ),
    ),
    "one label of two apps": (
        "plugins.yml",
        "",
        POT.format(app="other.tea_house"),
        (
            "pot: app 'other.tea_house' has Django's label 'tea_house', and so has 'tea_house' of plugin 'tea'"
            " (config/plugins.yml:4); rename one (config/plugins.yml:20)"
        ),
    ),
    "an app of the service itself": (
        "plugins.yml",
        "app: lamps",
        "app: django.contrib.auth",
        "lamp: app 'django.contrib.auth' is already brought in by this service; leave one out (config/plugins.yml:10)",
    ),
    "an app that is not there": (
        "plugins.yml",
        "app: lamps",
        "app: chronicle.plugins.recoder",
        (
            "lamp: 'chronicle.plugins.recoder' is not installed: there is no such module"
            " (config/plugins.yml:10); did you mean 'chronicle.plugins.recorder'?"
        ),
    ),
    "an app that fails": (
        "plugins.yml",
        "",
        "  pot:\n    enabled: true\n    app: leaky\n    modes: [pot]\n",
        "pot: 'leaky' cannot be loaded: 'leaky' fails when it is imported: OSError: no such pipe (config/plugins.yml:20)",
    ),
    "an id that is none": (
        "plugins.yml",
        "",
        "  ../tea:\n    enabled: true\n",
        (
            "plugins: '../tea' cannot be the id of a plugin; ids are small letters, digits and _, a letter first"
            " (config/plugins.yml:18)"
        ),
    ),
    "an entry that is no entry": (
        "plugins.yml",
        "",
        "  pot: true\n",
        "pot: must hold 'key: value' lines (config/plugins.yml:18)",
    ),
    "an app that is no dotted name": (
        "plugins.yml",
        "app: lamps",
        "app: ../lamps",
        "lamp: 'app' string should match pattern '^[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*$' (config/plugins.yml:10)",
    ),
    "an event twice": (
        "plugins.yml",
        "[utterance]",
        "[utterance, utterance]",
        "lamp: 'events' holds 'utterance' at 2 and 'utterance' at 1: leave one out (config/plugins.yml:11)",
    ),
    # ---- plugins/<id>/config.yml
    "a misspelt setting": (
        "plugins/lamp/config.yml",
        "level:",
        "levle:",
        "lamp: unknown key 'levle' (config/plugins/lamp/config.yml:4); did you mean 'level'?",
    ),
    "a missing setting": (
        "plugins/lamp/config.yml",
        "url: http://127.0.0.1:9/lamps\n",
        "",
        "lamp: missing key 'url' (config/plugins/lamp/config.yml:1)",
    ),
    "a setting that a mode needs and that has no file": (
        "plugins/tea/config.yml",
        "",
        "",
        "tea: missing required setting 'cups'; there is no plugins/tea/config.yml (config/plugins.yml:2)",
    ),
    "a variable that is cut off": (
        "plugins/lamp/config.yml",
        '"${LAMP_TOKEN}"',
        '"${LAMP_TOKEN"',
        (
            "lamp: '${' begins no variable here; write ${NAME} or ${NAME:-default}, with no brace inside"
            " (config/plugins/lamp/config.yml:3)"
        ),
    ),
    "a variable that is not set": (
        "plugins/lamp/config.yml",
        "${LAMP_TOKEN}",
        "${LAMP_TOKN}",
        (
            "lamp: environment variable LAMP_TOKN is not set and '${LAMP_TOKN}' has no default; set it or write"
            " '${LAMP_TOKN:-...}' (config/plugins/lamp/config.yml:3)"
        ),
    ),
    "a default with a brace": (
        "plugins/lamp/config.yml",
        "level: 3",
        "level: ${LEVELS:-{}}",
        (
            "lamp: '${' begins no variable here; write ${NAME} or ${NAME:-default}, with no brace inside"
            " (config/plugins/lamp/config.yml:4)"
        ),
    ),
    "a number in words": (
        "plugins/lamp/config.yml",
        "level: 3",
        "level: ${THREE}",
        "lamp: 'level' should be a valid integer (config/plugins/lamp/config.yml:4)",
    ),
    "a setting twice": (
        "plugins/lamp/config.yml",
        "",
        "level: 4\n",
        (
            "lamp: key 'level' stands twice: config/plugins/lamp/config.yml:4 and config/plugins/lamp/config.yml:5"
            " (config/plugins/lamp/config.yml:5)"
        ),
    ),
    "a date that is none": (
        "plugins/lamp/config.yml",
        "",
        "since: 2026-02-31\n",
        "lamp: what is written here cannot be read as timestamp; quote it (config/plugins/lamp/config.yml:5)",
    ),
    "settings that do not go together": (
        "plugins/lamp/config.yml",
        "http://127.0.0.1:9/lamps",
        "ftp://127.0.0.1:9/lamps",
        "lamp: the token ******** would travel in the clear; write an https url (config/plugins/lamp/config.yml:1)",
    ),
    "a time limit in words": (
        "plugins/tea/config.yml",
        "",
        "idle_s: ten\n",
        "tea: 'idle_s' must be a whole number of seconds: write 600 (config/plugins/tea/config.yml:2)",
    ),
    "a time limit that is a switch": (
        "plugins/tea/config.yml",
        "",
        "idle_s: true\n",
        "tea: 'idle_s' must be a whole number of seconds: write 600 (config/plugins/tea/config.yml:2)",
    ),
    "a time limit that is over at once": (
        "plugins/tea/config.yml",
        "",
        "idle_s: -600\n",
        "tea: 'idle_s' must be more than 0 and at most 2678400 (config/plugins/tea/config.yml:2)",
    ),
    "a time limit beyond all time": (
        "plugins/tea/config.yml",
        "",
        "hard_s: 99999999999999\n",
        "tea: 'hard_s' must be more than 0 and at most 2678400 (config/plugins/tea/config.yml:2)",
    ),
    "settings under a name that is nearly right": (
        "plugins/lamp/config.yaml",
        "",
        "level: 4\n",
        "lamp: is read by nobody: the file is called config.yml; rename it (config/plugins/lamp/config.yaml:1)",
    ),
    "settings beside their folder": (
        "plugins/lamp.yml",
        "",
        "level: 4\n",
        (
            "lamp: is read by nobody: the settings of a plugin stand in plugins/<id>/config.yml; rename it"
            " (config/plugins/lamp.yml:1)"
        ),
    ),
    "the host's file under a name that is nearly right": (
        "Config.yaml",
        "",
        "limits: {}\n",
        "config: is read by nobody: the file is called config.yml; rename it (config/Config.yaml:1)",
    ),
    "a list of plugins under a name that is nearly right": (
        "plugin.yml",
        "",
        "plugins: {}\n",
        "plugins: is read by nobody: the file is called plugins.yml; rename it (config/plugin.yml:1)",
    ),
    "settings of nobody": (
        "plugins/lmap/config.yml",
        "",
        "level: 3\n",
        "lmap: has settings but stands in no plugins.yml (config/plugins/lmap/config.yml:1); did you mean 'lamp'?",
    ),
}


@pytest.mark.promise("P065", "P066", "P067", "P069", "P070", "P079", "P080", "P084", "P220")
@pytest.mark.case("E10", "E12")
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_configuration_is_one_line_that_says_what_to_write(house: Any, wrong: str) -> None:
    file, old, new, line = WRONG[wrong]
    said = [str(fault) for fault in house(edited(file, old, new)).faults]
    assert "s3cret" not in " ".join(said)
    assert said == [line]


@pytest.mark.case("E10")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("config.yml", "config.yaml"),
        ("plugins.yml", "plugins.yaml"),
        ("plugins.yml", "plugins.yml.txt"),
        ("plugins/tea/config.yml", "plugins/tea/config.yaml"),
        ("plugins/tea/config.yml", "plugins/tea/confg.yml"),
        ("plugins/tea/config.yml", "plugins/tea.yml"),
    ],
)
def test_a_file_that_goes_by_another_name_is_one_line_and_not_one_more_for_what_is_missing(
    house: Any, right: str, wrong: str
) -> None:
    (line,) = [str(fault) for fault in house({right: None, wrong: HOUSE[right]}).faults]
    assert "is read by nobody" in line
    assert f"(config/{wrong}:1)" in line


def test_there_are_forty_of_them() -> None:
    assert len(WRONG) >= 40


@pytest.mark.promise("P068", "P071", "P079")
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("config.yml", "[Hermes]", "[Hermes]"),
        ("config.yml", "[Hermes]", "[Hermes, Computer, हर्मीस]"),
        ("config.yml", "operator:\n  alarm:\n    plugin: lamp\n    target: operator\n", ""),
        ("plugins.yml", "[boil the kettle]", "[चाय बनाओ, kettle please]"),
        ("plugins.yml", "condition: keyword_anywhere", "condition: wake_word"),
        ("plugins.yml", "  tea:\n    enabled: true", "  tea:\n    enabled: draining"),
        ("plugins.yml", "", POT.format(app="pot_house")),
        ("plugins/lamp/config.yml", "${LAMP_TOKEN}", "${LAMP_TOKN:-of another kind}"),
        ("plugins/lamp/config.yml", "level: 3", "level: ${LEVEL:-7}"),
        ("plugins/bread/config.yml", "", "token: ${NOWHERE}\n: [\n"),
        ("plugins/bread/config.yaml", "", "level: 3\n"),
        ("config.yml.bak", "", "level: 3\n"),
        ("notes.yml", "", "level: 3\n"),
        ("plugins/tea/config.yml", "", "idle_s: 60\nhard_s: 90\n"),
    ],
)
def test_a_right_configuration_starts(house: Any, file: str, old: str, new: str) -> None:
    found = house(edited(file, old, new))
    assert found.faults == ()
    assert set(found.modes) >= {"tea"}
    assert found.settings["lamp"]["token"] == "********"
    assert "bread" not in found.callable
