"""Wraps functions of the emulator to close its gaps."""


def wrap(module, name, wrapper):
    """Replaces module.name with the result of wrapper."""
    setattr(module, name, wrapper(getattr(module, name)))
