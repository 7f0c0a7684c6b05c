"""The application as the worker sees it."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_of_app.settings")
app = Celery("site_of_app", include=["site_of_app.tasks"])
app.config_from_object("django.conf:settings", namespace="CELERY")
