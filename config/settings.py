"""Every setting, in sections, from the environment: a value, or a file that `<NAME>_FILE` names."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from django.utils.csp import CSP

from config.place import default_data_root, embedded_database, kept_secret
from config.rates import RATES, rate_limits

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.FileAwareEnv()

# Where it runs
DEBUG = env.bool("DEBUG", default=False)
DATA_ROOT = Path(env("DATA_ROOT", default=str(default_data_root(BASE_DIR))))
SECRET_KEY = env("SECRET_KEY", default="") or kept_secret(DATA_ROOT / "secret-key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "config.apps.ConfigApp",
    "wiki.apps.WikiApp",
    "brain.apps.BrainApp",
    "members.apps.MembersApp",
    "repositories.apps.RepositoriesApp",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_q",
    "axes",
    "rest_framework",
    "drf_spectacular",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "config.pages.ProblemPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.csp",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.pages.theme",
            ],
        },
    },
]

# The database: DATABASE_URL wins; without it, a PostgreSQL of our own below DATA_ROOT
KINTSUGI_PG_BIN = env("KINTSUGI_PG_BIN", default="")
DATABASES = {
    "default": env.db("DATABASE_URL") if env("DATABASE_URL", default="") else embedded_database(DATA_ROOT)
}
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# Mirrors and builds
MIRROR_ROOT = Path(env("MIRROR_ROOT", default=str(DATA_ROOT / "mirrors")))
SNAPSHOT_ROOT = Path(env("SNAPSHOT_ROOT", default=str(DATA_ROOT / "snapshots")))
MIRROR_LOCAL_ROOTS = [Path(root) for root in env.list("MIRROR_LOCAL_ROOTS", default=[])]
SYNC_MINUTES = env.int("SYNC_MINUTES", default=5)  # 0: only when somebody asks
CREDENTIALS_KEY = env("CREDENTIALS_KEY", default="") or SECRET_KEY
BRAIN_PARSE_PROCESSES = env.int("BRAIN_PARSE_PROCESSES", default=os.cpu_count() or 1)
BRAIN_MAX_LINKS_PER_NODE = env.int("BRAIN_MAX_LINKS_PER_NODE", default=50)
BRAIN_NOT_ID_PREFIXES = env.list(
    "BRAIN_NOT_ID_PREFIXES",
    default=["UTF", "SHA", "MD", "ISO", "AES", "RSA", "HTTP", "TLS", "SSL", "BASE", "CP", "X", "H"],
)

# Jobs: builds in a cluster of their own, so that no sync waits for one. For each cluster, in seconds:
# - timeout is above the wall limit of its longest task: 900 for a fetch, 660 for a build;
# - retry is when the queue gives a task out again. The clock runs from when a cluster takes the task, which
#   may then wait for one that takes a whole timeout: timeout x (queue_limit / workers + 1), and 60 more.
Q_CLUSTER: dict[str, Any] = {
    "name": "brain",
    "broker_class": "config.supervisor.broker.Broker",
    "orm": "default",
    "workers": 2,
    "queue_limit": 2,  # no more than workers, as what waits here can't be taken by another machine
    "timeout": 1_000,
    "retry": 2_200,
    "max_attempts": 1,  # what was lost is asked for again by the minute job
    "ack_failures": True,  # else a task that failed comes back for ever
    "guard_cycle": 0.5,  # a time-out is met only when halves add up to it
    "poll": 0.2,
    "save_limit": 100,
    "recycle": 100,  # tasks of a worker, then a fresh one gives its memory back
    "catch_up": False,  # what the clock missed while nothing ran is done once
    "ALT_CLUSTERS": {
        "brain-index": {"workers": 1, "queue_limit": 1, "timeout": 720, "retry": 1_560, "recycle": 20},
    },
}

# People
AUTH_USER_MODEL = "members.Member"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "signin"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "members/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

# The APIs
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],  # a view says what else
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "config.openapi.Described",
    "EXCEPTION_HANDLER": "config.problems.api_answer",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
RATE_LIMITS = rate_limits(env("RATE_LIMITS", default=RATES))  # how much each caller may ask; members.limits
PROBLEM_OF = "config.errors.problem_of"  # for those below config: an error's problem details
SPECTACULAR_SETTINGS = {
    "TITLE": "Kintsugi Brain",
    "DESCRIPTION": "Reads of the tree that a team's Markdown makes; answers cite path, lines and commit.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["config.openapi.with_components"],
}

# The wire: secure unless the quick start asks for plain http on this machine
PLAIN_HTTP = env.bool("PLAIN_HTTP", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not PLAIN_HTTP
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
)
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_NAME = "session" if PLAIN_HTTP else "__Host-session"
CSRF_COOKIE_NAME = "csrf" if PLAIN_HTTP else "__Host-csrf"
CSRF_FAILURE_VIEW = "config.pages.forged"
SESSION_COOKIE_AGE = 7 * 24 * 3600
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "object-src": [CSP.NONE],
}

# Words, times, files
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = DATA_ROOT / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", default="WARNING")},
}
