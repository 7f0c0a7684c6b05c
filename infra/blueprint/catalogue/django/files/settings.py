"""Settings: what is secret or depends on the server comes from there."""

import os
import pathlib

SECRET_KEY = pathlib.Path("/etc/app/secret-key").read_text(encoding="utf-8").strip()
DEBUG = False
ALLOWED_HOSTS = [os.environ["APP_DOMAIN"]]
CSRF_TRUSTED_ORIGINS = [f"https://{os.environ['APP_DOMAIN']}"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

ROOT_URLCONF = "site_of_app.urls"
WSGI_APPLICATION = "site_of_app.wsgi.application"
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
# The socket, where the system vouches for the user.
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "app", "USER": "app"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"

CELERY_BROKER_URL = "redis://127.0.0.1:6379/0"
CELERY_RESULT_BACKEND = "redis://127.0.0.1:6379/1"
# A result that no task fetches is forgotten after an hour.
CELERY_RESULT_EXPIRES = 3600
