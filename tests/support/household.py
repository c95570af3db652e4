"""People and devices in a running system: ``python -m tests.support.household asha:hall ravi:bedroom`` prints their tokens."""

from __future__ import annotations

import json
import os
import sys


def main(wanted: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chronicle.settings")
    import django

    django.setup()
    from django.contrib.auth import get_user_model

    from tests.support import people

    tokens = {}
    for name in wanted:
        owner, _, client_id = name.partition(":")
        user, _ = get_user_model().objects.get_or_create(username=owner)
        tokens[client_id] = people.with_device(user, client_id).token
    print(json.dumps(tokens))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
