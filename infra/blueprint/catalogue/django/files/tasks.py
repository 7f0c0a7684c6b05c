"""What the worker does."""

from celery import shared_task


@shared_task
def add(one, other):
    """For the health, and as an example."""
    return one + other
