"""The shape of the project, held by tests: what stands where, how big a room is, what Celery is used for, docs in step."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("chronicle", "interactions", "swiggy_instamart")

CARD = {"manage.py", "chronicle", "interactions", "swiggy_instamart", "config", "requirements.txt", "tests", "compose.yaml"}
TOOLS = {"README.md", "Makefile", "pyproject.toml", "docs", ".ci", "LICENSE", ".gitignore"}
IMPORTED_AS = {  # where it is not the package's own name
    "djangorestframework": "rest_framework",
    "pyyaml": "yaml",
}
FEWEST_BOUNDARIES = 8  # as many packages does the card name; each of ours is looked at

FEWEST, MOST = 30, 250
NAMED_BY_A_FRAMEWORK = {
    "__init__.py",
    "__main__.py",
    "apps.py",
    "asgi.py",
    "celery.py",
    "urls.py",
    "tasks.py",
    "admin.py",
    "checks.py",
}
OTHER_SIZES: dict[str, str] = {  # room -> why it is smaller or larger than a room should be
    "chronicle/bench/settings.py": "the product's settings and the floor, so that both are served alike",
    "interactions/clock.py": "the one place that asks for the time, so that tests can move it",
    "interactions/contracts.py": "every value that crosses to a mode, on the one page its author reads",
    "interactions/models.py": "every row of the host with its constraints, to be read together",
    "interactions/api/description.py": "what OpenAPI cannot see by itself, and nothing else",
    "swiggy_instamart/answers.py": "what each tool of shopping answers, with its parser beside it",
    "swiggy_instamart/sandbox/money.py": "rupees as Swiggy writes them, apart from ours on purpose",
}


def rooms() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


# ---- what stands where ----------------------------------------------------------------------------------------------------


def tracked() -> list[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("not a git work tree")
    return done.stdout.splitlines()


@pytest.mark.promise("P243")
def test_the_top_level_holds_the_cards_entries_and_tool_files_beside_them() -> None:
    top = {name.split("/", 1)[0] for name in tracked()}
    assert top - CARD - TOOLS == set(), "an entry too many at the top"
    assert top >= CARD | TOOLS, "an entry is missing at the top"


@pytest.mark.promise("P243")
def test_the_packages_are_pinned_and_imported_where_the_decision_says() -> None:
    pins = pinned("requirements.txt")
    decided = boundaries()
    assert len(decided) >= FEWEST_BOUNDARIES
    for package, room in decided.items():
        module = IMPORTED_AS.get(package, package.replace("-", "_"))
        assert package in pins, f"{package} is not pinned in requirements.txt"
        assert module in imports(ROOT / room), f"{room} does not import {module}, as decision 0002 says"


def test_every_pinned_package_has_its_line_among_the_decisions() -> None:
    lines = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text().splitlines()
    said = {line.split("|")[1].strip(" `") for line in lines if line.startswith("| `")}
    assert said == pinned("requirements.txt") | pinned("tests/requirements.txt")


def pinned(file: str) -> set[str]:
    lines = [line.strip() for line in (ROOT / file).read_text().splitlines()]
    asked = [line for line in lines if line and not line.startswith(("#", "-r"))]
    loose = [line for line in asked if "==" not in line]
    assert not loose, f"{file} does not pin {', '.join(loose)}"
    return {re.split(r"[\[=]", line)[0] for line in asked}


def boundaries() -> dict[str, str]:
    """Package -> the room that decision 0002 names for it."""
    text = (ROOT / "docs" / "decisions" / "0002-dependencies.md").read_text()
    return dict(re.findall(r"^\| `([^`]+)` \| `([^`]+\.py)` \|", text, flags=re.MULTILINE))


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


# ---- how big a room is ----------------------------------------------------------------------------------------------------


def test_every_room_has_the_size_of_a_room() -> None:
    odd = []
    for path in rooms():
        lines = len(path.read_text().splitlines())
        small = lines < FEWEST and path.name not in NAMED_BY_A_FRAMEWORK and path.parent.name != "commands"
        if (small or lines > MOST) and named(path) not in OTHER_SIZES:
            odd.append(f"{named(path)}: {lines}")
    assert not odd, f"rooms have {FEWEST} to {MOST} lines; split, join, or give a reason in OTHER_SIZES: {', '.join(odd)}"


def test_no_size_is_excused_without_need() -> None:
    for name, reason in OTHER_SIZES.items():
        lines = len((ROOT / name).read_text().splitlines())
        assert not FEWEST <= lines <= MOST, f"{name} has the size of a room now"
        assert len(reason.split()) > 3


def test_every_room_opens_with_what_it_is_for() -> None:
    silent = [
        named(path) for path in rooms() if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert not silent


# ---- Celery carries doorbells, nothing else ---------------------------------------------------------------------------------


def test_no_message_carries_a_time_a_retry_or_another_message() -> None:
    found = []
    for path in rooms():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.keyword) and node.arg in ("countdown", "eta"):
                found.append(f"{named(path)}: {node.arg}=")
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("celery"):
                canvas = {alias.name for alias in node.names} & {"chain", "group", "chord", "signature", "chunks", "subtask"}
                found.extend(f"{named(path)}: {name}" for name in canvas)
            elif (
                isinstance(node, ast.Attribute)
                and node.attr == "retry"
                and isinstance(node.value, ast.Name)
                and node.value.id == "self"
            ):
                found.append(f"{named(path)}: self.retry")
    assert not found, "a timer is a row with a due time, and a task starts no task: " + ", ".join(found)


# ---- docs and rows in step ---------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_the_readme_names_only_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    said = set(re.findall(r"`make ([a-z-]+)", (ROOT / "README.md").read_text()))
    assert said
    assert said <= targets


@pytest.mark.parametrize("page", [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"], ids=lambda page: page.stem)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    said = re.findall(r"`((?:chronicle|interactions|swiggy_instamart|config|docs|tests)/[\w./-]*)`", page.read_text())
    missing = [name for name in said if not (ROOT / name).exists()]
    assert not missing, f"{page.name} names {', '.join(missing)}"
