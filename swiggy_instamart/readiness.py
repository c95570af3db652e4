"""Whether the sign-in will see through what is about to begin. Nothing is begun that it would not outlive.

It must last for the checkout and for watching the payment that follows: an order that nobody can follow is worse than none.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from interactions.contracts import NotSentError, TurnedDownError
from swiggy_instamart import mcp, shop, tokens
from swiggy_instamart.options import Options
from swiggy_instamart.tokens import SPARE, Verdict

NOT_SET_UP = "not_configured"
FAULTS: Mapping[str, str] = {  # of the files; anything else is an end that may be renewed
    "damaged": "sign_in_damaged",
    **dict.fromkeys(("missing", "unreadable", "not_private", "misplaced"), NOT_SET_UP),
}

log = logging.getLogger(__name__)


def check(effect: str, options: Options) -> None:
    """Before a review is read out, before the checkout is armed, and before its call."""
    if effect in ("review", "recheck"):
        outlives(options)
    elif effect == "checkout":
        # A renewal takes time, and the words grow old: it comes before their age is looked at.
        mcp.signed_in(within_s=options.mcp_attempt_s)


def opening(options: Options) -> Verdict:
    """Before an order starts. Raises TurnedDownError with a word for what is wrong."""
    fault = FAULTS.get(tokens.verdict().code)
    if fault is not None:
        log.warning("no order is opened: %s", tokens.verdict().sentence)
        raise TurnedDownError(fault)
    return outlives(options)


def outlives(options: Options) -> Verdict:
    """Renewed where it can be. Raises TurnedDownError where it would not last."""
    lasting = timedelta(seconds=shop.CHECKOUT_S + options.payment_window_s) + SPARE
    verdict = tokens.verdict()
    ends = verdict.expires_at
    if verdict.good and (ends is None or ends - datetime.now(UTC) > lasting):
        return verdict
    try:
        return mcp.signed_in(lasting=lasting, within_s=options.mcp_attempt_s)
    except NotSentError as error:
        log.warning("the sign-in does not last for an order: %s", error.message)
        raise TurnedDownError("sign_in_short" if verdict.good else "sign_in") from error
