"""A review: what was read back, how long it is good for, and whether an utterance consents to exactly it. Pure.

A consent belongs to one revision of one review at one device. Whatever this file does not call ``OK`` spends nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from interactions import consent
from interactions.contracts import Heard, Json, Prompt
from swiggy_instamart import carts

FRESH_S = 10  # from the end of the phrase to the call


_KEY = "review:"
ASKED = "at_review"  # of a sentence that names what can be said to a review; the host never sees it, so no prompt moves


@dataclass(frozen=True, slots=True)
class Review:
    """What the person was told. ``made_at`` is the time of the step that said it; ``device`` the one that was told."""

    revision: int
    fingerprint: str
    address_id: str
    label: str
    lines: tuple[carts.Line, ...]
    total_paise: int
    device: int
    made_at: str
    bill: Sequence[Sequence[str]] = ()  # label and value of each line, as the shop wrote them
    unchosen: Sequence[str] = ()  # what was asked for, and is not among the lines, as nothing was chosen

    @property
    def key(self) -> str:
        """Names the prompt, so that the host can report its delivery."""
        return f"{_KEY}{self.revision}"

    def dump(self) -> dict[str, Any]:
        return {**asdict(self), "lines": carts.dump(self.lines)}


def is_key(key: str | None) -> bool:
    """Whether a reply with this key reads back a review, be it the one that stands or one before it."""
    return (key or "").startswith(_KEY)


def load(row: Json) -> Review:
    return Review(**{**row, "lines": carts.load(row["lines"])})


def unfit(
    *,
    lines: Sequence[carts.Line],
    total_paise: int | None,
    address_id: str,
    cart_address: str,
    unserviceable: bool,
    scan: bool,
    limit_paise: int | None,
) -> str:
    """Why this cart must not be reviewed, as a word; empty if it may. The order is the order of importance to a person."""
    if not lines:
        return "cart_empty"
    if not cart_address:
        return "address_unseen"
    if carts.base(cart_address) != carts.base(address_id):
        return "cart_elsewhere"
    if unserviceable or not all(line.available and line.spin for line in lines):
        return "unavailable"
    if total_paise is None or total_paise <= 0:
        return "total_unreadable"
    if over_limit(total_paise, limit_paise):
        return "over_limit"
    if not scan:
        return "no_scan"
    return ""


def over_limit(total_paise: int, limit_paise: int | None) -> bool:
    return limit_paise is not None and total_paise >= limit_paise


def was_cut(review: Review, prompt: Prompt | None) -> bool:
    """Whether its playback is known to have failed, or to have been cut short."""
    return prompt is not None and prompt.key == review.key and prompt.failed


def expired(review: Review, *, prompt: Prompt | None, at: datetime, validity_s: int) -> bool:
    """Whether the review is too old to be consented to: so long after its playback ended, and never much longer than that."""
    validity = timedelta(seconds=validity_s)
    made = datetime.fromisoformat(review.made_at)
    spoken = timedelta(milliseconds=1.5 * prompt.est_ms + 3000) if prompt else timedelta()
    ended = made + spoken
    if prompt and prompt.key == review.key:
        ended = prompt.finished_at or ((prompt.delivered_at or made) + spoken)
    # Repeating a review plays it again but does not read the cart again: three times its validity is the end of any of them.
    return at > min(ended + validity, made + spoken + 3 * validity)


def verdict(review: Review, heard: Heard, *, names: Sequence[str], phrases: Sequence[str]) -> consent.Verdict:
    """Whether ``heard`` consents to ``review``, now."""
    if heard.device != review.device:
        return consent.Verdict.OTHER_DEVICE
    prompt = heard.prompt if heard.prompt and heard.prompt.key == review.key else None
    return consent.verdict(heard, prompt, names=names, phrases=phrases, now=heard.at, device=review.device)


def fresh(captured_at: str, *, at: datetime) -> bool:
    """Whether the phrase is still young enough for the call to be made now. From the future, it has no age: a clock stepped."""
    age = at - datetime.fromisoformat(captured_at)
    return -consent.CLOCK_STEP <= age <= timedelta(seconds=FRESH_S)
