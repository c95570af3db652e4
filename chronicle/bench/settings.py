"""The product's settings with the floor beside it, so that both have the same middleware, authentication and processes.

Named to the processes of a bench's stack as DJANGO_SETTINGS_MODULE; it reads nothing from the environment by itself.
"""

from __future__ import annotations

from chronicle.settings import *  # noqa: F403
from chronicle.settings import INSTALLED_APPS as PRODUCT

INSTALLED_APPS = [*PRODUCT, "chronicle.bench.floor"]
ROOT_URLCONF = "chronicle.bench.urls"
