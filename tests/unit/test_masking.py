"""Settings that are read back show no secret: not by the command, not in a repr, not in a fault."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from django.core.management import call_command
from pydantic import BaseModel, Field

from chronicle import reference
from interactions import configuration, loading, masking, registry
from interactions.plugins import ChainAnswer, ChainEvent, OrdinaryPlugin

MASK = masking.MASK


class Channel(BaseModel):
    user: str = ""
    urls: list[str] = Field(default_factory=list, repr=False)


class Model(BaseModel):
    url: str = ""
    webhook: str = Field("", repr=False)
    level: int = 3
    pin: int = Field(0, repr=False)
    channels: list[Channel] = Field(default_factory=list)


@pytest.mark.promise("P084")
@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"webhook": "https://here/s3cret", "level": 3}, {"webhook": MASK, "level": 3}),
        ({"pin": 4711}, {"pin": MASK}),
        ({"webhook": ""}, {"webhook": ""}),
        ({"webhook": None}, {"webhook": None}),
        ({"channels": [{"user": "asha", "urls": ["a://b/c", "d"]}]}, {"channels": [{"user": "asha", "urls": [MASK, MASK]}]}),
        (
            {"token": "t", "api_key": "k", "client_secrets": ["a", "b"]},
            {"token": MASK, "api_key": MASK, "client_secrets": [MASK, MASK]},
        ),
        ({"password": {"now": "a", "before": None}}, {"password": {"now": MASK, "before": None}}),
        ({"keywords": ["lamp"], "monkey": "x", "use_token": True}, {"keywords": ["lamp"], "monkey": "x", "use_token": True}),
        ({"url": "https://me:word@here/im?key=k#k"}, {"url": f"https://{MASK}@here/im?{MASK}#{MASK}"}),
        ({"url": "https://here:443/im"}, {"url": "https://here:443/im"}),
        ({"url": "http://[broken/im?key=k"}, {"url": MASK}),
    ],
)
def test_what_is_secret_is_masked_and_nothing_else(settings: dict[str, Any], shown: dict[str, Any]) -> None:
    assert masking.shown(settings, Model) == shown


@pytest.mark.promise("P084")
def test_every_secret_of_a_bundled_schema_is_kept_out_of_its_repr() -> None:
    asked = 0
    for _, found, _ in reference.FILES:
        if not isinstance(found, str):
            continue
        module, _, name = found.rpartition(".")
        model = getattr(import_module(module), name)
        for field, info in model.model_fields.items():
            if re.search("secret|token|password|(^|_)key", field):
                assert info.repr is False, f"{found}.{field}"
                asked += 1
    assert asked


class Talkative(OrdinaryPlugin):
    """Quotes what it should keep to itself."""

    id = "talkative"
    settings_model = Model

    def __init__(self, entry: Any, settings: Any) -> None:
        super().__init__(entry, settings)
        if settings["level"] == 0:
            raise ValueError(f"no peer at {settings['webhook']} for {settings['url']}")

    def handle(self, event: ChainEvent) -> ChainAnswer | None:
        return None


class Strict(Model):
    """Its own checks quote the value too."""

    def model_post_init(self, _: Any) -> None:
        raise ValueError(f"'{self.webhook}' is not reachable")


def made_of(settings: dict[str, Any]) -> configuration.Configuration:
    entry = configuration.PluginEntry(enabled=True, app=__name__, events=["utterance"])
    return replace(configuration.current(), plugins={"talkative": entry}, plugin_settings={"talkative": settings}, faults=())


SECRETS = {"url": "https://me:word@here/im", "webhook": "https://here/s3cret"}


@pytest.mark.promise("P084")
@pytest.mark.parametrize("model", [Model, Strict])
def test_a_fault_in_a_plugins_own_words_holds_no_secret(model: type[Model], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Talkative, "settings_model", model)
    loaded = loading.load(made_of({**SECRETS, "level": 0}), "talkative")
    (fault,) = loaded.faults
    assert MASK in fault.text
    assert "s3cret" not in repr(loaded)
    assert "word" not in fault.text


@pytest.mark.promise("P084")
def test_the_command_shows_settings_without_their_secrets(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    config = made_of(dict(SECRETS))
    assert "s3cret" not in repr(config)
    found = registry.examine(replace(config, host=configuration.HostConfiguration()))
    assert not found.faults
    assert "s3cret" not in repr(found)
    monkeypatch.setattr(registry, "_registry", found)
    call_command("modes", "--with-settings")
    printed = capsys.readouterr().out
    assert f"settings of talkative\n  url: https://{MASK}@here/im\n  webhook: '{MASK}'\n  level: 3\n" in printed
    call_command("modes")
    assert "level" not in capsys.readouterr().out
