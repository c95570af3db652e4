"""A conversation in a terminal: what is said and heard, line by line, with the phase of the session in the margin.

A script is one utterance a line. ``#`` starts a comment; ``@until KIND`` waits for an event of that kind, where the line
before would otherwise wait for the next question.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from interactions.client import Device, Event, SilenceError

MARGIN = 24
WIDTH = 78
ANSWER_S = 45.0  # per event; a checkout may take long
UNTIL_S = 25.0  # the same, while an end is waited for that may not come
CHAIN_S = 5.0  # the ordinary chain may also say nothing
ENDED = "interaction.ended"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to say, and the kind of event to wait for after it; None: the next question, or the end."""

    text: str
    until: str | None = None


def read(lines: Iterable[str]) -> Iterator[Line]:
    """The script's lines, in order."""
    waiting: Line | None = None
    for line in (raw.strip() for raw in lines):
        if not line or line.startswith("#"):
            continue
        if line.startswith("@until "):
            if waiting is None:
                raise ValueError(f"'{line}' follows no utterance")
            yield Line(waiting.text, line.removeprefix("@until ").strip())
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = Line(line)
    if waiting is not None:
        yield waiting


def hold(device: Device, line: Line, *, out: Callable[[str], object]) -> list[Event]:
    """Say one line, show what comes, and return it once the floor is ours again."""
    out(_row("", "you", line.text))
    device.cue = lambda cue: out(_row("", "", "(one moment)"))
    answer = device.say(line.text)
    if answer["disposition"] != "accepted" and answer["session"] is not None:
        out(_row("", "", f"({answer['disposition']}: {answer['reason']})"))
        return []
    heard = []
    if answer["session"] is None:
        return _ordinary(device, answer["id"], out=out)
    for event in device.until(lambda event: _is_floor(event, answer["id"], line.until), UNTIL_S if line.until else ANSWER_S):
        heard.append(event)
        show(event, out=out)
    return heard


def show(event: Event, *, out: Callable[[str], object]) -> None:
    """One event, as a person would notice it; bookkeeping stays silent."""
    data = event.data
    if event.kind == ENDED:
        out(_row("", "", f"(ended: {data.get('reason', '')})"))
    elif data.get("text"):
        out(_row(str(data.get("phase") or ""), "Hermes", str(data["text"])))
        for link in (value for value in (data.get("data") or {}).values() if isinstance(value, str) and "://" in value):
            out(_row("", "", f"[on the screen: {link}]"))


def _is_floor(event: Event, utterance: object, until: str | None) -> bool:
    if until is not None:
        return event.kind == until
    if event.kind == ENDED:
        return True
    return event.data.get("answers") == utterance and bool(event.data.get("expects_reply"))


def _ordinary(device: Device, utterance: object, *, out: Callable[[str], object]) -> list[Event]:
    """No mode took it: whatever the ordinary chain says of it, if anything."""
    heard = []
    try:
        for event in device.until(lambda event: event.data.get("answers") == utterance, CHAIN_S):
            heard.append(event)
            show(event, out=out)
    except SilenceError:
        out(_row("", "", "(nobody answers)"))
    return heard


def _row(phase: str, who: str, text: str) -> str:
    first = f"{phase:<{MARGIN}}{who:<8}"
    return textwrap.fill(
        text, WIDTH + len(first), initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False
    )
