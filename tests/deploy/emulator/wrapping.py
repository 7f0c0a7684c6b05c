"""Wraps functions of the emulator to close its gaps."""

from collections.abc import Callable
from typing import Any


def wrap(module: object, name: str, wrapper: Callable[[Any], object]) -> None:
    """Replaces module.name with the result of wrapper."""
    setattr(module, name, wrapper(getattr(module, name)))
