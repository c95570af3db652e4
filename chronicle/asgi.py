"""What uvicorn serves. This process accepts, stores and streams; it runs no mode, no effect and no plugin."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chronicle.settings")
os.environ.setdefault("CHRONICLE_ROLE", "web")

from django.core.asgi import get_asgi_application

application = get_asgi_application()

from chronicle import durability  # noqa: E402  needs the settings
from interactions import unsettled  # noqa: E402

durability.verify()
unsettled.verify()
