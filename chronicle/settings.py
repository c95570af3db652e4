"""The one settings file and the only reader of the environment: read once, typed, wrong values named."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

from chronicle import broker, configuration, database, env, installed

BASE_DIR = Path(__file__).resolve().parent.parent

# ---- where, and as what, this process runs ---------------------------------------------------------------------------

DEBUG = env.boolean("CHRONICLE_DEBUG", False)
CHRONICLE_ROLE = env.choice("CHRONICLE_ROLE", "command", options=("web", "worker", "beat", "command"))
CHRONICLE_TLS = env.boolean("CHRONICLE_TLS", not DEBUG)  # off: plain HTTP on this machine, as `make run` serves it
CHRONICLE_DATA_DIR = env.path("CHRONICLE_DATA_DIR", BASE_DIR / ".data")
CHRONICLE_CONFIG_DIR = env.path("CHRONICLE_CONFIG_DIR", BASE_DIR / "config")
CHRONICLE_LEASE_S = env.number("CHRONICLE_LEASE_S", 6, minimum=0.5, maximum=600)  # between calls; a call has its budget
CHRONICLE_LEASE_MARGIN_S = env.number("CHRONICLE_LEASE_MARGIN_S", 10, minimum=0.2, maximum=600)  # beyond a call's deadline
CHRONICLE_SWEEP_S = env.number("CHRONICLE_SWEEP_S", 3, minimum=0.1, maximum=60)
CHRONICLE_DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

PLATFORM = (
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_eventstream",
    "interactions",
)
CHRONICLE = configuration.load(CHRONICLE_CONFIG_DIR, lookup=env.lookup, beside=(*PLATFORM, "chronicle"))

# ---- plugins' own ----------------------------------------------------------------------------------------------------

SWIGGY_LINKED_USER_ID = env.text("SWIGGY_LINKED_USER_ID", "")
SWIGGY_TOKEN_DIRECTORY = env.path("SWIGGY_TOKEN_DIRECTORY", CHRONICLE_DATA_DIR / "integrations" / "swiggy")
SWIGGY_MCP_URL = env.url("SWIGGY_MCP_URL")
SWIGGY_REHEARSAL_URL = env.text("SWIGGY_REHEARSAL_URL", "")  # where practice orders go; its mode says what it may be

# ---- Django ----------------------------------------------------------------------------------------------------------


def _secret_key() -> str:
    """The key from the environment; where plain HTTP is served, one made for this data directory is enough."""
    if CHRONICLE_TLS:
        return env.text("CHRONICLE_SECRET_KEY")
    given = env.text("CHRONICLE_SECRET_KEY", "")
    if given:
        return given
    file = CHRONICLE_DATA_DIR / "secret-key"
    draft = file.with_name(f"secret-key.{secrets.token_hex(8)}")
    if not file.exists():
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
        try:
            file.hardlink_to(draft)  # whole or not at all, and the first of several processes wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_text(encoding="ascii")


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.words("CHRONICLE_ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = env.words("CHRONICLE_TRUSTED_ORIGINS")

INSTALLED_APPS = [*PLATFORM, *installed.apps(CHRONICLE), "chronicle"]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

ROOT_URLCONF = "chronicle.urls"
ASGI_APPLICATION = "chronicle.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LANGUAGE_CODE = "en-in"
TIME_ZONE = CHRONICLE.host.time_zone  # of what is spoken and shown; the database keeps UTC
USE_TZ = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # above what any parser of the API takes, so that it is the parser who says no

DATABASES = {
    "default": database.entry(
        env.text("DATABASE_URL", f"sqlite:///{CHRONICLE_DATA_DIR / 'chronicle.sqlite3'}"),
        role=CHRONICLE_ROLE,
        pool_max=env.integer("CHRONICLE_POOL_MAX", 10, minimum=2, maximum=100),
    )
}

STATIC_URL = "static/"
STATIC_ROOT = CHRONICLE_DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
MEDIA_ROOT = CHRONICLE_DATA_DIR / "media"

SECURE_SSL_REDIRECT = CHRONICLE_TLS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if CHRONICLE_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = CHRONICLE_TLS
SECURE_HSTS_PRELOAD = CHRONICLE_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.boolean("CHRONICLE_BEHIND_PROXY", False) else None
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CHRONICLE_TLS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = CHRONICLE_TLS
X_FRAME_OPTIONS = "DENY"

# ---- REST, its description, and the event stream ---------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["interactions.api.authentication.DeviceTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "interactions.api.errors.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Chronicle interaction modes",
    "DESCRIPTION": "Finalized speech in, spoken replies out.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

REDIS_URL = env.text("REDIS_URL", "redis://127.0.0.1:6379/0")
EVENTSTREAM_REDIS = broker.client_options(REDIS_URL)
EVENTSTREAM_STORAGE_CLASS = "interactions.streams.DeviceEventStorage"
EVENTSTREAM_CHANNELMANAGER_CLASS = "interactions.streams.DeviceChannels"

# ---- Celery: messages are doorbells that may be lost, doubled or reordered -------------------------------------------

CELERY_BROKER_URL = broker.celery_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = broker.transport_options(role=CHRONICLE_ROLE)
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_PUBLISH_RETRY = CHRONICLE_ROLE != "web"
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_TASK_DEFAULT_QUEUE = "turns"
CELERY_TASK_ROUTES = {
    "interactions.drain": {"queue": "turns"},
    "interactions.run_chain": {"queue": "turns"},
    "interactions.perform": {"queue": "effects"},
    "interactions.run_waiting_chain": {"queue": "effects"},
    "interactions.alarm": {"queue": "effects"},
    "interactions.check_plugin": {"queue": "effects"},
    "swiggy_instamart.*": {"queue": "effects"},
    "interactions.tick": {"queue": "ticks"},
}
CELERY_TASK_ANNOTATIONS = {"*": {"expires": 30}}  # else a sweep with the workers off fills the queue
# Well above a slice and the longest call in it. A child that is stopped inside a transaction holds its lock until it is killed.
CELERY_TASK_TIME_LIMIT = 180
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 30
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_DB_REUSE_MAX = 500
CELERY_BEAT_SCHEDULE_FILENAME = str(CHRONICLE_DATA_DIR / "beat-schedule")
CELERY_BEAT_MAX_LOOP_INTERVAL = min(CHRONICLE_SWEEP_S, 5)
CELERY_BEAT_SCHEDULE = {
    "tick": {"task": "interactions.tick", "schedule": CHRONICLE_SWEEP_S, "options": {"queue": "ticks", "expires": 30}}
}
# Eager tasks hide commit order, redelivery and the broker, and would run modes in the web process.
CELERY_TASK_ALWAYS_EAGER = env.boolean("CHRONICLE_EAGER", False)
if CELERY_TASK_ALWAYS_EAGER and "pytest" not in sys.modules:
    raise env.WrongVariableError("CHRONICLE_EAGER", "eager Celery is for unit tests only; unset it and start a worker")

# ---- logs: ids, phases, sizes and places; no spoken words, no links, and nothing that an exception says ----------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"class": "chronicle.logs.Lines", "format": "%(asctime)s %(levelname)s %(process)d %(name)s %(message)s"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["console"],
        "level": env.choice("CHRONICLE_LOG_LEVEL", "INFO", options=("DEBUG", "INFO", "WARNING", "ERROR")),
    },
    "loggers": {
        # These write whole addresses and payloads at INFO and DEBUG, links and words included.
        **{
            name: {"level": "WARNING"}
            for name in ("httpx", "httpx2", "httpcore", "mcp", "openai", "asyncio", "uvicorn.access", "django.db.backends")
        },
        "django.server": {"level": "WARNING"},
        "django_eventstream": {"level": "WARNING"},  # two lines for every stream that opens
    },
}
