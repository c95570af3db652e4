"""``make demo``: a fresh system, one whole order spoken to it, and the shop's own ledger as the judge.

Exits 0 only if the ledger shows exactly one checkout, one order, paid, and no cart call before the address was confirmed.
``FAULT=payment_failed`` and ``FAULT=checkout_refused`` break the shop first, and must end otherwise.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chronicle import services, stack
from chronicle.children import ChildError
from chronicle.phone import Phone
from chronicle.stack import Stack
from interactions import conversation
from interactions.client import Device, DeviceError, Event

SCRIPT = services.ROOT / "config" / "demo" / "order.txt"
FEWEST_LINES = 12
CART_TOOLS = frozenset({"get_cart", "update_cart", "clear_cart", "get_payment_options", "checkout"})
PAID_AFTER = {"autopay_s": 2.0, "autopay_state": "success"}
FAULTS: Mapping[str, Mapping[str, Any]] = {
    "": PAID_AFTER,
    "payment_failed": PAID_AFTER | {"autopay_state": "failed"},
    "checkout_refused": PAID_AFTER | {"store_open": False},
}


class Transcript:
    """What was said, on the terminal and in memory."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        self.lines.extend(line.splitlines())
        print(line, flush=True)


def main() -> int:
    fault = os.environ.get("FAULT", "")
    if fault not in FAULTS:
        print(f"FAULT={fault} is not known; it may be {' or '.join(filter(None, FAULTS))}", file=sys.stderr)
        return 2
    began = time.monotonic()
    print("starting a fresh system (broker, database, sandbox, web, workers, beat)", flush=True)
    data = Path(tempfile.mkdtemp(prefix="chronicle-demo-"))
    try:
        environ = stack.alone(os.environ)
        with Phone(_notified) as phone, Stack(data, environ=environ | phone.environ, say=_indented) as system:
            print(f"up after {time.monotonic() - began:.1f} s\n", flush=True)
            faults, _ = order(system, switches=FAULTS[fault])
    except (ChildError, services.ServiceError) as error:
        faults = [str(error)]
    if faults:
        print("\n".join(f"NOT AS IT SHOULD BE: {line}" for line in faults) + f"\nThe logs are kept in {data / 'logs'}")
        return 1
    shutil.rmtree(data)
    print(f"one checkout, one order, paid; {time.monotonic() - began:.0f} s in all")
    return 0


def order(system: Stack, *, switches: Mapping[str, Any]) -> tuple[list[str], list[Event]]:
    """Speak the script and print the ledger; what is wrong with it, and what the device was told."""
    control(system.sandbox, "settings", switches)
    control(system.sandbox, "cart", {"action": "set", "lines": [{"find": "butter", "quantity": 1}]})
    transcript = Transcript()
    confirmed_at = None
    faults: list[str] = []
    heard: list[Event] = []
    try:
        with Device(system.url, system.welcome["token"], voice=True) as device:
            for line in conversation.read(SCRIPT.read_text(encoding="utf-8").splitlines()):
                if line.text == "yes":
                    confirmed_at = time.time()
                heard += conversation.hold(device, line, out=transcript)
    except DeviceError as error:
        faults.append(f"the conversation broke off: {error}")
        faults.extend(child.complaint("ended by itself") for child in system.children.values() if not child.running())
    ledger = control(system.sandbox, "ledger")
    print("\nThe shop's ledger\n" + "\n".join(f"  {line}" for line in describe(ledger)) + "\n", flush=True)
    return [*faults, *judge(ledger, confirmed_at=confirmed_at, lines=len(transcript.lines))], heard


def judge(ledger: Mapping[str, Any], *, confirmed_at: float | None, lines: int) -> Iterator[str]:
    """What the ledger must not show."""
    counts = ledger["counts"]
    for name, wanted in (("checkouts", 1), ("committed", 1), ("paid", 1), ("placed", 1)):
        if counts[name] != wanted:
            yield f"{name}: {counts[name]} instead of {wanted}"
    if len(ledger["orders"]) != 1:
        yield f"orders: {len(ledger['orders'])} instead of 1"
    if counts["confirms"] > 1:
        yield f"confirm_order was called {counts['confirms']} times"
    early = [call["tool"] for call in ledger["calls"] if call["tool"] in CART_TOOLS and call["at"] < (confirmed_at or 1e12)]
    if early:
        yield f"before the address was confirmed the shop was asked for {', '.join(early)}"
    if lines < FEWEST_LINES:
        yield f"the conversation has {lines} lines instead of {FEWEST_LINES} or more"


def describe(ledger: Mapping[str, Any]) -> Iterator[str]:
    """The ledger for people: each call, each checkout, each order."""
    began = ledger["calls"][0]["at"] if ledger["calls"] else 0.0
    for call in ledger["calls"]:
        words = ", ".join(f"{name} {_short(value)}" for name, value in call["arguments"].items())
        yield f"{call['at'] - began:6.1f} s  {call['tool']:<22} {call['outcome'] or 'never ended':<8} {words}".rstrip()
    for checkout in ledger["checkouts"]:
        yield f"checkout: {'order made' if checkout['committed'] else 'refused: ' + str(checkout['refused'])}"
    for order in ledger["orders"]:
        yield f"order {order['id']}: {order['status']}, {'paid' if order['paid'] else 'not paid'}, ₹{order['total'] / 100:.2f}"
    yield f"checkouts {ledger['counts']['checkouts']}, orders {len(ledger['orders'])}, paid {ledger['counts']['paid']}"


def control(sandbox: str, name: str, body: Mapping[str, Any] | None = None) -> Any:
    """Ask the sandbox's control API; with a body it is told something."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{sandbox}/control/{name}", data=data, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def _notified(message: Mapping[str, Any]) -> None:
    """A notification, as it lights up on the person's phone."""
    print(f"{'':<24}(phone)  {message['text']} {message.get('link') or ''}".rstrip(), flush=True)


def _indented(line: str) -> None:
    print(f"  {line}", flush=True)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


if __name__ == "__main__":
    sys.exit(main())
