"""Tells a person something over channels of their own, through Apprise: mail, Telegram, ntfy and a hundred more.

The only room that imports Apprise, and it does so only where a channel is set. An address is a secret, since the keys of its
service stand in it: none is ever quoted, logged or shown. What is told may hold a payment link, so none travels in the clear.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import cache
from typing import TYPE_CHECKING

from chronicle import env

if TYPE_CHECKING:
    import apprise

log = logging.getLogger(__name__)


def fault(url: str) -> str:
    """Why nothing can be told there, or nothing. Reaches for no network."""
    channel = _channel(url)
    if channel is None:
        return "is no address that Apprise knows"
    return "" if _private(url, channel) else "goes out in the clear; take the service's address over TLS"


def tell(urls: Sequence[str], text: str) -> list[Future[str]]:
    """Tell all of them at once, each on a thread of its own: one that hangs holds up nobody."""
    answers: list[Future[str]] = []
    for url in urls:
        answers.append(Future())
        threading.Thread(target=_tell, args=(url, text, answers[-1]), name="channel", daemon=True).start()
    return answers


def taken(answers: Sequence[Future[str]], *, within_s: float) -> int:
    """How many have taken it by then. What outlasts that is not waited for, and may still arrive."""
    wait(answers, timeout=within_s)
    words = [answer.result() if answer.done() else "timeout" for answer in answers]
    for place, word in enumerate(words):
        if word != "ok":
            log.warning("channel %s of %s: %s", place + 1, len(words), word)
    return words.count("ok")


def _tell(url: str, text: str, answer: Future[str]) -> None:
    try:
        answer.set_result(_told(url, text))
    except Exception as error:  # noqa: BLE001  the edge of the thread; its type alone, since a message may quote the address
        answer.set_result(type(error).__name__)


def _told(url: str, text: str) -> str:
    import apprise

    channel = _channel(url)
    if channel is None or not _private(url, channel):
        return "unusable"
    one = apprise.Apprise(asset=_asset())
    one.add(channel)
    return "ok" if one.notify(body=text, body_format=apprise.NotifyFormat.TEXT) else "not_taken"


def _channel(url: str) -> apprise.NotifyBase | None:
    import apprise

    found = apprise.Apprise.instantiate(url, asset=_asset())
    return found if isinstance(found, apprise.NotifyBase) else None


def _private(url: str, channel: apprise.NotifyBase) -> bool:
    over_tls = channel.secure_protocol or ()
    scheme = url.partition("://")[0].strip().lower()
    secure = scheme == over_tls if isinstance(over_tls, str) else scheme in over_tls
    return secure or bool(channel.secure) or str(channel.host).strip("[]") in env.LOOPBACK


@cache
def _asset() -> apprise.AppriseAsset:
    """How Apprise behaves here: it follows no redirect, writes nothing to the disk, and says nothing of an address in a log."""
    import apprise

    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)
    return apprise.AppriseAsset(app_id="Chronicle", async_mode=False, http_redirects=False, storage_mode="memory")
