"""The application as Gunicorn sees it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_of_app.settings")
application = get_wsgi_application()
