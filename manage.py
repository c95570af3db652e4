#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chronicle.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError:
        sys.exit(
            f"Django is not in this Python: run it as .venv/bin/python {' '.join(sys.argv)}, after `make run` or `make demo`."
        )
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # what is wrong and where stands in its words; the way to it helps nobody
        sys.exit(str(error))


if __name__ == "__main__":
    main()
