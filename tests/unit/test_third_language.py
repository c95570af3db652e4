"""Another language is three files of data: put where languages stand, they are spoken, and no line of logic knows of them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
KELA = ROOT / "tests" / "third_language"
PLACES = {
    "words.yml": "swiggy_instamart/languages/qk.yml",
    "replies.py": "swiggy_instamart/replies/qk.py",
    "host.py": "interactions/languages/qk.py",
}
SPOKEN_BY = ("interactions", "swiggy_instamart", "tests/support/ordering.py", "tests/__init__.py", "tests/support/__init__.py")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An order held by a copy of the program to which nothing but the language was added."""
    there = tmp_path_factory.mktemp("kela")
    for name in SPOKEN_BY:
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, there / name)
    for name, place in PLACES.items():
        assert not (there / place).exists()
        shutil.copy(KELA / name, there / place)
    shutil.copy(KELA / "order.py", there)
    run = subprocess.run([sys.executable, "order.py"], cwd=there, env={}, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.promise("P245")
def test_a_whole_order_is_held_in_a_language_that_only_its_files_know(held: dict[str, Any]) -> None:
    said = [reply["text"] for reply in held["said"]]
    assert said == [
        "Use Home for delivery?",  # nobody has spoken yet
        "Sol vanu?",
        "Lo milk: ₹28, Amul Taaza 500 ml (1); ₹28, Nandini Milk 500 ml (2); ₹28, Amul Gold 500 ml (3). Kei?",
        "Kesta: Amul Taaza 500 ml × 2 ka vun ono. Ono?",
        "₹269 UPI. Home. Amul Taaza 500 ml × 2 ka Brown Bread 400 g × 1. Dia confirm order, za ono.",
        "Tia ya.",
        "₹269 UPI. Skrina vidu. Neto finu.",
        "Payment link",
    ]
    assert [reply["lang"] for reply in held["said"]] == ["en"] + ["qk"] * 7
    assert held["calls"] == ["addresses", "cart", "search", "cart", "write", "review", "recheck", "checkout", "notify"]


def test_its_answers_its_voice_and_the_hosts_words_come_with_it(held: dict[str, Any]) -> None:
    offer, review = held["said"][2], held["said"][4]
    assert offer["choices"] == ["opta 1", "opta 2", "opta 3", "nolu"]
    assert review["choices"] == ["confirm order", "kesta vidu", "cancel order"]  # English where the language has no word
    assert review["speech"].startswith("Bex sesk nin rupai UPI.")
    assert held["sorry"] == "Ai. Ree dia."
