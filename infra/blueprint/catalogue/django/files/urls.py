"""The pages of the application."""

from django.db import connection
from django.http import HttpResponse, JsonResponse
from django.urls import path

from .celery import app
from .tasks import add

# How long the worker may take over two numbers, in seconds.
PATIENCE = 5


def front(request):
    """The first page."""
    return HttpResponse("This application is ready for its own pages.\n", content_type="text/plain")


def health(request):
    """Whether the database, Redis and a worker answer."""
    found = {"database": ask_database, "redis": ask_redis, "worker": ask_worker}
    said = {part: outcome(ask) for part, ask in found.items()}
    good = all(answer == "ok" for answer in said.values())
    return JsonResponse({"status": "ok" if good else "broken", **said}, status=200 if good else 503)


def outcome(ask):
    """In a word, since the reasons are for the log."""
    try:
        ask()
    except Exception as error:
        print(f"health: {error!r}", flush=True)
        return "broken"
    return "ok"


def ask_database():
    """Reads one row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask_redis():
    """Opens a connection."""
    with app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, timeout=PATIENCE)


def ask_worker():
    """Has it add two numbers."""
    if add.apply_async((2, 3), expires=PATIENCE).get(timeout=PATIENCE) != 5:
        raise ValueError("the worker cannot add")


urlpatterns = [path("", front), path("health", health)]
