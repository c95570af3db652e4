"""The README's walk through an order with ``curl`` alone, block by block as it is printed there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chronicle import services
from interactions import client
from tests.support.system import BOUND_S, Speaker, System
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.on_sqlite, pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")]


def blocks() -> list[str]:
    """The shell blocks of the section that does it by hand."""
    text = (services.ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("## The same by hand", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```sh\n(.*?)```", section, flags=re.DOTALL)


class Reader:
    """Types what the README prints, with the addresses and the token of this system, and watches the stream as it comes."""

    def __init__(self, house: System, kitchen: Speaker, stream: Path) -> None:
        self.house = house
        self.kitchen = kitchen
        self.stream = stream
        self.functions = ""

    def here(self, text: str) -> str:
        text = text.replace("http://127.0.0.1:8000", self.house.url).replace("http://127.0.0.1:8010", self.house.sandbox)
        return f"URL={self.house.url}\nTOKEN={self.kitchen.token}\n{text}"

    def type(self, text: str) -> str:
        done = subprocess.run(
            ["bash", "-euc", self.here(self.functions + text)], capture_output=True, text=True, timeout=30, check=True
        )
        return done.stdout

    @contextmanager
    def listening(self, text: str) -> Iterator[None]:
        with self.stream.open("wb") as out:
            process = subprocess.Popen(
                ["bash", "-euc", self.here(text)],
                stdout=out,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        try:
            wait_until(lambda: b"stream-open" in self.stream.read_bytes(), BOUND_S, "the stream to open")
            yield
        finally:
            subprocess.run(["kill", "--", f"-{process.pid}"], check=False)
            process.wait(10)

    def events(self) -> list[tuple[str, int | None, dict[str, Any]]]:
        return list(client.records(iter(self.stream.read_text(encoding="utf-8").splitlines())))

    def say(self, line: str) -> dict[str, Any]:
        """One ``say`` of the README, and the question that comes back."""
        accepted = json.loads(self.type(line))

        def asked() -> dict[str, Any] | None:
            told = (data for _, _, data in self.events() if data.get("answers") == accepted["id"])
            return next((data for data in told if data.get("expects_reply")), None)

        return wait_until(asked, BOUND_S, f"an answer to {line}")

    def wait_for(self, kind: str) -> dict[str, Any]:
        return wait_until(lambda: next((data for name, _, data in self.events() if name == kind), None), BOUND_S, kind)


@pytest.mark.promise("P165", "P244")
def test_the_walk_through_of_the_readme_ends_with_a_paid_order(house: System, kitchen: Speaker, tmp_path: Path) -> None:
    listen, talk, confirm, pay = blocks()
    reader = Reader(house, kitchen, tmp_path / "stream.txt")
    reader.functions, _, lines = talk.partition("\n}\n")
    reader.functions += "\n}\n"
    with reader.listening(listen):
        for line in lines.strip().splitlines():
            prompt = reader.say(line)
        confirm = re.sub(r"^REVIEW=\d+.*$", f"REVIEW={prompt['reply_id']}", confirm, flags=re.MULTILINE)
        assert f"REVIEW={prompt['reply_id']}" in confirm
        reader.type(confirm)
        assert reader.wait_for("interaction.payment")["data"]
        paid = reader.type(pay)
        assert reader.wait_for("interaction.ended")["reason"] == "paid"
    counts = house.ledger()["counts"]
    assert (counts["checkouts"], counts["committed"], counts["paid"]) == (1, 1, 1)
    assert '"counts"' in paid
