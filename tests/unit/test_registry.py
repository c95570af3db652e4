"""The door: each wrong declaration is one row, and the sentence names the plugin, the fault, the file and what was meant."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from interactions import checks, configuration, declarations, registry, text
from interactions.configuration import HostConfiguration, PluginEntry
from interactions.contracts import EffectSpec, Migration, PhaseSpec, Policy, Standing, Step
from interactions.modes import Mode, ModeConfig
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin
from tests.echo_mode.mode import EchoMode

ONWARD = Migration(lambda phase, state: (phase, state))
EXITS = {"stop": "closes", "help": "explains", "silence": "asks", "deadline": "closes"}


class PlainMode(Mode):
    """Right in every point; each test changes one."""

    key = "plain"
    phrases = ("open plain",)
    first_phase = "open"
    phases = {"open": PhaseSpec(**EXITS), "sure": PhaseSpec(**EXITS)}
    effects = {"spend": EffectSpec(Policy.ONCE, budget_s=10, phase="sure", phrases=("spend it",))}

    def step(self, standing: Standing, event: Any) -> Step:
        return Step()


def declared(**changes: Any) -> Mode:
    return type("ChangedMode", (PlainMode,), changes)({})


def test_a_right_declaration_has_no_fault() -> None:
    assert declarations.faults(declared(), owner="plain", place="mode.py") == []
    assert declarations.faults(EchoMode({}), owner="echo", place="mode.py") == []


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2, "migrations": {1: ONWARD}},
        {"version": 4, "migrations": {3: ONWARD}},
        {"version": 2, "effects": {}, "kept": "Your list is kept."},
    ],
)
def test_a_mode_may_rise_to_a_version_that_goes_on_or_says_what_is_kept(changes: dict[str, Any]) -> None:
    assert declarations.faults(declared(**changes), owner="plain", place="mode.py") == []


@pytest.mark.promise("P045", "P220", "P270")
@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"key": ""}, "has an empty key"),
        ({"key": "  "}, "has an empty key"),
        ({"phrases": ()}, "needs at least one phrase"),
        ({"phrases": "open plain"}, "needs at least one phrase, in a tuple"),
        ({"phrases": ("open plain", " !? ")}, "has a phrase without a word in it"),
        ({"version": 0}, "has a version that is not 1 or more"),
        ({"version": 2}, "spends, is at version 2 and has no migration from version 1"),
        ({"version": 3, "migrations": {1: ONWARD}}, "spends, is at version 3 and has no migration from version 2"),
        ({"version": 2, "effects": {}}, "has no migration from version 1, and no 'kept'"),
        (
            {"version": 2, "effects": {}, "phases": {"open": PhaseSpec(**EXITS, spending=True)}},
            "spends, is at version 2 and has no migration from version 1",
        ),
        ({"migrations": {1: ONWARD}}, "is at version 1 and has a migration from version 1, which leads nowhere"),
        ({"version": 2, "migrations": {1: "onward"}}, "declares migrations that are no mapping of a version to a Migration"),
        ({"effects": {"read": EffectSpec(Policy.READ, budget_s=6, lasting=True)}}, "lasting, which only a ONCE can be"),
        ({"idle_s": 600, "hard_s": 599}, "has hard_s 599 below idle_s 600"),
        ({"idle_s": 0}, "has idle_s 0; it must be more than 0"),
        ({"phases": {}}, "declares no phases"),
        ({"first_phase": "opne"}, "starts in phase 'opne', which it does not declare"),
        ({"phases": {"open": "closes", "sure": PhaseSpec(**EXITS)}}, "declares phase 'open' without a PhaseSpec"),
        *(
            ({"phases": {**PlainMode.phases, "open": PhaseSpec(**{**EXITS, way: ""})}}, f"has no {way} exit in phase 'open'")
            for way in EXITS
        ),
        ({"effects": {"read": "read"}}, "declares effect 'read' without a policy"),
        ({"effects": {"read": EffectSpec("read", budget_s=6)}}, "declares effect 'read' without a policy"),
        ({"effects": {"read": EffectSpec(Policy.READ, budget_s=0)}}, "gives effect 'read' no budget"),
        ({"effects": {"read": EffectSpec(Policy.READ, budget_s=6, attempts=0)}}, "gives effect 'read' no budget"),
        (
            {"effects": {"read": EffectSpec(Policy.READ, budget_s=6, phrases=("go",))}},
            "a confirming phrase, which only a ONCE has",
        ),
        ({"effects": {"buy": EffectSpec(Policy.ONCE, budget_s=6)}}, "names no phrase that releases ONCE effect 'buy'"),
        (
            {"effects": {"buy": EffectSpec(Policy.ONCE, budget_s=6, phase="sure", phrases=("?",))}},
            "names no phrase that releases ONCE effect 'buy'",
        ),
        (
            {"effects": {"buy": EffectSpec(Policy.ONCE, budget_s=6, phase="shure", phrases=("buy it",))}},
            "lets ONCE effect 'buy' be confirmed in phase 'shure', which it does not declare",
        ),
        (
            {"effects": {"buy": EffectSpec(Policy.ONCE, budget_s=6, attempts=2, phase="sure", phrases=("buy it",))}},
            "lets ONCE effect 'buy' be attempted 2 times",
        ),
    ],
)
def test_a_wrong_declaration_is_one_sentence(changes: dict[str, Any], fault: str) -> None:
    found = [str(one) for one in declarations.faults(declared(**changes), owner="plain", place="plain/mode.py")]
    assert any(fault in one for one in found), found
    assert all(one.startswith("plain: mode '") and "(plain/mode.py)" in one for one in found)


def test_what_was_probably_meant_is_said() -> None:
    (found,) = declarations.faults(declared(first_phase="opne"), owner="plain", place="plain/mode.py")
    assert str(found).endswith("did you mean 'open'?")


# ---- plugins made up for one test -----------------------------------------------------------------------------------


class Kit:
    """Makes plugins out of nothing, installs them beside the real ones, and asks the door about them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._entries: dict[str, PluginEntry] = {}
        self._settings: dict[str, dict[str, Any]] = {}

    def module(self, name: str, **contents: Any) -> ModuleType:
        module = ModuleType(name)
        module.__file__ = f"{name.replace('.', '/')}.py"
        module.__spec__ = type("Spec", (), {"name": name, "loader": None})()
        vars(module).update(contents)
        self._patch.setitem(sys.modules, name, module)
        return module

    def mode_plugin(
        self, name: str, *modes: type[Mode], settings: dict[str, Any] | None = None, app: Any = None, **entry: Any
    ) -> None:
        package = self.module(name)
        package.__path__ = []  # type: ignore[attr-defined]
        contents = {mode.__name__: mode for mode in modes}
        self.module(f"{name}.mode", **contents)
        paths = tuple(f"mode.{mode.__name__}" for mode in modes)
        kind = type("MadeUpConfig", (app or ModeConfig,), {"name": name, "path": ".", **({} if app else {"mode": paths})})
        config = kind(name, package)
        self._patch.setitem(apps.app_configs, config.label, config)
        self._add(name, settings, {"modes": [getattr(mode, "key", "") for mode in modes], **entry})

    def ordinary(self, name: str, *kinds: type[OrdinaryPlugin], settings: dict[str, Any] | None = None, **entry: Any) -> None:
        module = self.module(name)
        for kind in kinds:
            kind.__module__ = name
            setattr(module, kind.__name__, kind)
        self._add(name, settings, {"events": ["utterance"], **entry})

    def listed(self, name: str, **entry: Any) -> None:
        self._add(name, None, entry)

    def _add(self, name: str, settings: dict[str, Any] | None, entry: Mapping[str, Any]) -> None:
        self._entries[name] = PluginEntry(**{"enabled": True, **entry})
        if settings is not None:
            self._settings[name] = settings

    def examine(self) -> registry.Registry:
        current = configuration.current()
        ours = {"plugins": self._entries, "plugin_settings": self._settings, "host": HostConfiguration()}
        return registry.examine(replace(current, **ours, places={}, faults=()))

    def faults(self) -> list[str]:
        return [str(fault) for fault in self.examine().faults]


@pytest.fixture
def kit(monkeypatch: pytest.MonkeyPatch) -> Kit:
    return Kit(monkeypatch)


def mode(key: str, *phrases: str) -> type[Mode]:
    return type(f"{key.title()}Mode", (PlainMode,), {"key": key, "phrases": phrases})


class Plain(OrdinaryPlugin):
    id = "plain"

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        return None


# ---- who owns what ----------------------------------------------------------------------------------------------------


@pytest.mark.promise("P065")
def test_a_second_owner_of_a_mode_is_told_who_the_first_is(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"))
    kit.mode_plugin("second", mode("tea", "brew tea"))
    listing = f"{configuration.current().directory}/plugins.yml:1"
    assert kit.faults() == [f"second: mode 'tea' already belongs to plugin 'first' ({listing}); list it once ({listing})"]


@pytest.mark.promise("P066")
@pytest.mark.parametrize("phrase", ["make tea", "Make TEA!", "make, tea"])
def test_two_modes_with_the_same_phrase_are_refused(kit: Kit, phrase: str) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"))
    kit.mode_plugin("second", mode("pot", phrase))
    (fault,) = kit.faults()
    assert fault.startswith(
        "second: phrase 'make tea' of mode 'pot' is also a phrase 'make tea' of mode 'tea' (plugin 'first', "
    )


@pytest.mark.promise("P067")
@pytest.mark.parametrize(("first", "second"), [("make tea", "make tea now"), ("make tea now", "make tea")])
def test_a_phrase_that_begins_another_is_refused_in_either_order(kit: Kit, first: str, second: str) -> None:
    kit.mode_plugin("first", mode("tea", first))
    kit.mode_plugin("second", mode("pot", second))
    (fault,) = kit.faults()
    assert f"phrase '{second}' of mode 'pot' overlaps the phrase '{first}' of mode 'tea'" in fault


@pytest.mark.promise("P066", "P067")
def test_an_operators_own_phrase_is_held_to_the_same_rule(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"))
    kit.mode_plugin("second", mode("pot", "fill the pot"), phrases={"pot": ["make tea please"]})
    (fault,) = kit.faults()
    assert "overlaps" in fault


@pytest.mark.promise("P066", "P067")
@pytest.mark.parametrize(
    ("phrase", "fault"),
    [
        ("please make tea", "'please' is taken off before a phrase is looked for; write 'make tea'"),
        ("Hermes, make tea", "'hermes' is taken off before a phrase is looked for; write 'make tea'"),
        ("okay hey Hermes make tea", "'okay hey hermes' is taken off before a phrase is looked for; write 'make tea'"),
        ("Hermes", "all of it is a name, a filler or a courtesy; choose other words"),
        ("please", "all of it is a name, a filler or a courtesy; choose other words"),
        ("stop", "it says 'stop', whatever is open; choose other words"),
        ("Cancel!", "it says 'cancel', whatever is open; choose other words"),
        ("रुको", "it says 'stop', whatever is open; choose other words"),
        ("thanks for watching", "recognisers write it where nobody spoke, so it is dropped; choose other words"),
    ],
)
@pytest.mark.parametrize("whose", ["declared", "operator's"])
def test_a_phrase_that_is_never_looked_up_as_it_stands_is_refused_whoever_wrote_it(
    kit: Kit, phrase: str, fault: str, whose: str
) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"))
    declared, further = (("boil it", phrase), {}) if whose == "declared" else (("boil it",), {"pot": [phrase]})
    kit.mode_plugin("second", mode("pot", *declared), phrases=further)
    (found,) = kit.faults()
    assert found.startswith(f"second: phrase '{' '.join(text.tokens(phrase))}' of mode 'pot' can never open it: {fault}")


@pytest.mark.promise("P066")
@pytest.mark.parametrize("phrase", ["spend it", "Spend it!"])
def test_what_spends_in_a_mode_opens_none(kit: Kit, phrase: str) -> None:
    kit.mode_plugin("shop", type("Shop", (PlainMode,), {"key": "shop", "phrases": ("open shop",)}))
    kit.mode_plugin("second", mode("pot", "fill the pot"), phrases={"pot": [phrase]})
    (fault,) = kit.faults()
    assert fault.startswith("second: phrase 'spend it' of mode 'pot' is what spends in mode 'shop'; choose other words")


def test_a_phrase_may_hold_a_name_a_courtesy_or_a_universal_word_inside(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "stop the kettle", "ask Hermes nicely", "say please"))
    assert kit.faults() == []


@pytest.mark.promise("P067")
def test_a_phrase_is_compared_by_words_and_not_by_letters(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"))
    kit.mode_plugin("second", mode("pot", "make teapots"))
    assert kit.faults() == []


@pytest.mark.promise("P052")
def test_one_mode_may_have_a_longer_form_of_its_phrase_and_the_longest_stands_first(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea", "make tea for me"))
    found = kit.examine()
    assert not found.faults
    assert found.activations[0] == (("make", "tea", "for", "me"), "tea")


# ---- what is listed and what is there -----------------------------------------------------------------------------------


@pytest.mark.promise("P068", "P169")
def test_only_listed_modes_are_registered(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"), mode("pot", "fill the pot"), modes=["tea"])
    found = kit.examine()
    assert not found.faults
    assert list(found.modes) == ["tea"]
    assert [key for _, key in found.activations] == ["tea"]


@pytest.mark.promise("P069")
def test_an_unknown_listed_mode_is_refused_with_the_nearest_known_one(kit: Kit) -> None:
    kit.mode_plugin("first", mode("kettle", "boil water"), modes=["ketle"])
    (fault,) = kit.faults()
    assert fault.startswith("first: lists unknown mode 'ketle'")
    assert fault.endswith("did you mean 'kettle'?")


@pytest.mark.promise("P071")
def test_a_plugin_that_is_off_is_not_built(kit: Kit) -> None:
    class Bomb(Plain):
        def __init__(self, *arguments: Any) -> None:
            raise AssertionError("built")

    kit.ordinary("bomb", Bomb, enabled=False)
    kit.listed("nowhere", enabled=False, app="no.such.module", modes=["x"])
    found = kit.examine()
    assert found.faults == ()
    assert found.callable == {}


@pytest.mark.promise("P220")
@pytest.mark.parametrize(
    ("app", "meant"),
    [
        ("chronicle.plugins.hermez", "chronicle.plugins.hermes"),
        ("chronicle.plugin.recorder", "chronicle.plugins.recorder"),
        ("swiggy_instamrt", "swiggy_instamart"),
    ],
)
def test_an_app_that_is_not_there_is_refused_with_the_nearest_bundled_one(kit: Kit, app: str, meant: str) -> None:
    kit.listed("strange", app=app)
    (fault,) = kit.faults()
    assert "is not installed" in fault
    assert fault.endswith(f"; did you mean '{meant}'?")


@pytest.mark.promise("P220")
@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"app": "no_such_plugin", "modes": ["x"]}, "'no_such_plugin' is not installed: there is no such module"),
        ({"app": "no.such.plugin", "events": ["utterance"]}, "'no.such.plugin' is not installed: there is no such module"),
        ({"app": "django.contrib.auth", "modes": ["x"]}, "the app config of 'django.contrib.auth' is no ModeConfig"),
        ({"app": "tests.plugins", "modes": ["x"]}, "lists modes, but 'tests.plugins' has no apps.py with a ModeConfig"),
        ({"app": "tests.plugins", "events": ["utterance"]}, "'tests.plugins' must define one OrdinaryPlugin, it defines 0"),
        (
            {"app": "tests.plugins.answerer", "events": ["utterance"], "condition": "keyword_anywhere"},
            "has condition keyword_anywhere and no keywords",
        ),
    ],
)
def test_an_entry_that_leads_nowhere_is_refused(kit: Kit, entry: dict[str, Any], fault: str) -> None:
    kit.listed("strange", **entry)
    (found,) = kit.faults()
    assert found.startswith(f"strange: {fault}")


class OldConfig(ModeConfig):
    default = False
    mode = ()
    api = 7


class LostConfig(ModeConfig):
    default = False
    mode = "mode.Missing"


class NowhereConfig(ModeConfig):
    default = False
    mode = "nowhere.Mode"


class ClassConfig(ModeConfig):
    default = False
    mode = "mode.TeaMode.key"


class NeedyConfig(ModeConfig):
    default = False
    mode = "mode.TeaMode"
    required_settings = ("kettle",)
    default_settings = {"sugar": 1}


class TypedConfig(ModeConfig):
    default = False
    mode = "mode.TeaMode"
    settings_model = "options.Options"


class WaryConfig(ModeConfig):
    default = False
    mode = "mode.TeaMode"

    def faults(self, modes: tuple[str, ...], settings: Any) -> tuple[str, ...]:
        return (f"TEA_OWNER is not set and {modes[0]} needs it",)


@pytest.mark.promise("P220")
@pytest.mark.parametrize(
    ("app", "settings", "faults"),
    [
        (OldConfig, {}, ["tea: is written for api 7; this host speaks api 1"]),
        (
            LostConfig,
            {},
            ["tea: lists unknown mode 'tea'", "tea: mode 'mode.Missing' cannot be loaded: 'tea.mode' has no 'Missing'"],
        ),
        (
            NowhereConfig,
            {},
            ["tea: lists unknown mode 'tea'", "tea: mode 'nowhere.Mode' cannot be loaded: there is no module 'tea.nowhere'"],
        ),
        (
            ClassConfig,
            {},
            [
                "tea: lists unknown mode 'tea'",
                "tea: mode 'mode.TeaMode.key' cannot be loaded: there is no module 'tea.mode.TeaMode'",
            ],
        ),
        (NeedyConfig, {}, ["tea: missing required setting 'kettle'"]),
        (NeedyConfig, {"kettle": "big", "suger": 2}, ["tea: unknown key 'suger'"]),
        (TypedConfig, {}, ["tea: settings_model cannot be loaded: there is no module 'tea.options'"]),
        (WaryConfig, {}, ["tea: TEA_OWNER is not set and tea needs it"]),
    ],
)
def test_a_wrong_app_config_is_refused(kit: Kit, app: type[ModeConfig], settings: dict[str, Any], faults: list[str]) -> None:
    kit.mode_plugin("tea", mode("tea", "make tea"), app=app, settings=settings)
    found = sorted(kit.faults())
    assert len(found) == len(faults)
    for one, expected in zip(found, faults, strict=True):
        assert one.startswith(expected)


def test_a_misspelt_setting_is_answered_with_the_nearest(kit: Kit) -> None:
    kit.mode_plugin("tea", mode("tea", "make tea"), app=NeedyConfig, settings={"kettle": "big", "suger": 2})
    assert kit.faults()[0].endswith("did you mean 'sugar'?")


@pytest.mark.promise("P220")
def test_what_is_no_mode_and_what_cannot_be_built_are_refused(kit: Kit) -> None:
    def refuse(self: Any, settings: Any) -> None:
        raise RuntimeError("no water")

    unfinished = type("UnfinishedMode", (Mode,), {"key": "unfinished", "phrases": ("begin",)})
    broken = type("BrokenMode", (PlainMode,), {"key": "broken", "phrases": ("break it",), "__init__": refuse})
    kit.mode_plugin("tea", unfinished, broken, Plain, modes=["unfinished", "broken"])  # type: ignore[arg-type]
    found = "\n".join(kit.faults())
    assert "tea: 'mode.Plain' is no Mode" in found
    assert "tea: mode 'unfinished' does not define step" in found
    assert "tea: mode 'broken' cannot be built: RuntimeError: no water" in found


def test_a_module_that_fails_when_imported_is_told_apart_from_a_missing_one(kit: Kit, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "leaky_plugin.py").write_text("raise OSError('no such pipe')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    kit.listed("leaky", app="leaky_plugin", events=["utterance"])
    (fault,) = kit.faults()
    assert "'leaky_plugin' fails when it is imported: OSError: no such pipe" in fault


def test_the_operator_may_change_a_modes_deadlines_within_reason(kit: Kit) -> None:
    class Patient(ModeConfig):
        default = False
        mode = "mode.TeaMode"
        default_settings = {"idle_s": 60, "hard_s": 30}

    kit.mode_plugin("tea", mode("tea", "make tea"), app=Patient, settings={"hard_s": 90})
    found = kit.examine()
    assert not found.faults
    assert (found.modes["tea"].idle_s, found.modes["tea"].hard_s) == (60, 90)
    assert PlainMode.idle_s == 600


@pytest.mark.promise("P045")
def test_deadlines_that_cross_are_refused_whoever_set_them(kit: Kit) -> None:
    class Hasty(ModeConfig):
        default = False
        mode = "mode.TeaMode"
        default_settings = {"hard_s": None}

    kit.mode_plugin("tea", mode("tea", "make tea"), app=Hasty, settings={"hard_s": 30})
    (fault,) = kit.faults()
    assert "mode 'tea' has hard_s 30 below idle_s 600" in fault


# ---- the door as a whole ------------------------------------------------------------------------------------------------


@pytest.mark.promise("P220")
def test_every_fault_is_in_one_message_and_in_the_checks(kit: Kit, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    before = registry.modes()
    kit.mode_plugin("first", mode("tea", "make tea"))
    kit.mode_plugin("second", mode("tea", "brew tea"), mode("pot", "make tea"))
    kit.listed("third", app="no.such.module", modes=["x"])
    settings.CHRONICLE = replace(
        configuration.current(),
        host=HostConfiguration(),
        plugins=kit._entries,
        plugin_settings={},
        places={("third", "plugins.yml"): "config/plugins.yml:9"},
    )
    with pytest.raises(ImproperlyConfigured) as refused:
        registry.load()
    for fault in ("mode 'tea' already belongs to plugin 'first'", "mode 'pot' is also a phrase", "third: 'no.such.module'"):
        assert fault in str(refused.value)
    assert "(config/plugins.yml:9)" in str(refused.value)
    assert registry.modes() is before  # a refused configuration opens nothing
    assert len(checks.plugins_are_right(None)) == 3
    assert {message.id for message in checks.plugins_are_right(None)} == {"interactions.E001"}


def test_the_tests_own_configuration_is_right() -> None:
    assert registry.examine(configuration.current()).faults == ()
    assert isinstance(registry.mode("echo"), EchoMode)
    assert registry.plugin_of("echo") == "echo"
    with pytest.raises(KeyError):
        registry.mode("no such mode")


def test_a_draining_plugin_keeps_its_mode_and_opens_nothing_new(kit: Kit) -> None:
    kit.mode_plugin("first", mode("tea", "make tea"), enabled="draining")
    found = kit.examine()
    assert not found.faults
    assert "tea" in found.modes
    assert "tea" not in found.accepting


def test_settings_reach_a_mode_frozen() -> None:
    with pytest.raises(TypeError):
        registry.mode("echo").settings["greeting"] = "changed"  # type: ignore[index]


@pytest.mark.promise("P227")
def test_eager_celery_is_a_fault_of_the_checks_too(settings: Any) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    (message,) = checks.celery_is_not_eager(None)
    assert message.id == "interactions.E002"


# ---- the chain's order --------------------------------------------------------------------------------------------------


@pytest.mark.promise("P072")
def test_the_chain_follows_priority_low_first_and_a_hundred_where_none_is_given(kit: Kit) -> None:
    for name, entry in (("late", {"priority": 101}), ("usual", {}), ("early", {"priority": 7})):
        kit.ordinary(name, type(name.title(), (Plain,), {"id": name}), **entry)
    found = kit.examine()
    assert not found.faults
    assert [plugin.id for plugin in found.ordinary] == ["early", "usual", "late"]
    assert found.callable["usual"].entry.priority == 100


class Answering(ModeConfig):
    """Declares a mode, and answers ordinary sentences while it is on."""

    mode = "mode.PlainMode"
    priority = 50

    def answers(self, modes: tuple[str, ...]) -> bool:
        return "plain" in modes


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ({}, [(50, ["utterance"])]),
        ({"priority": 100}, [(100, ["utterance"])]),
        ({"enabled": "draining"}, [(50, ["utterance"])]),
        ({"enabled": False}, []),
    ],
)
def test_a_plugin_of_modes_may_be_offered_ordinary_sentences_where_they_are_on(
    kit: Kit, entry: dict[str, Any], found: list[tuple[int, list[str]]]
) -> None:
    plain = type("PlainMode", (PlainMode,), {})
    kit.mode_plugin("garden", plain, app=Answering, **entry)
    kit.module("garden.plugin", Garden=type("Garden", (Plain,), {"id": "garden", "__module__": "garden.plugin"}))
    examined = kit.examine()
    assert not examined.faults
    assert [(one.entry.priority, one.entry.events) for one in examined.ordinary] == found
