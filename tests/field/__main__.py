"""``python -m tests.field``: every sentence, the table, and an exit that says whether it may be shipped."""

from __future__ import annotations

import sys

import django

from tests import conftest


def main(arguments: list[str]) -> int:
    assert conftest.ROOT.is_dir()  # imported for the environment of the tests, which Django reads when it is set up
    django.setup()
    from tests.field import run

    return run.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
