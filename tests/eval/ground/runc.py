#!/usr/bin/python3
"""Goes before a server's runc: a container that asks for higher limits than this machine may give gets the machine's,
and so does a command in it, such as that of a health check.

On a server at Hetzner, root may raise every limit; in a container, it may not.
"""

import json
import os
import pathlib
import resource
import sys
from collections.abc import Callable
from typing import Any

REAL = ("/usr/sbin/runc", "/usr/bin/runc")


def lowered(limits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The limits, each as high as this process may set it."""
    for limit in limits:
        _, most = resource.getrlimit(getattr(resource, limit["type"]))
        if most != resource.RLIM_INFINITY:
            limit.update({name: min(limit[name], most) for name in ("soft", "hard")})
    return limits


def lower(file: pathlib.Path, of: Callable[[Any], Any]) -> None:
    given = json.loads(file.read_text())
    process = of(given)
    process["rlimits"] = lowered(process.get("rlimits") or [])
    file.write_text(json.dumps(given))


def main(words: list[str]) -> None:
    if "--bundle" in words:
        lower(pathlib.Path(words[words.index("--bundle") + 1], "config.json"), lambda config: config["process"])
    if "--process" in words:
        lower(pathlib.Path(words[words.index("--process") + 1]), lambda process: process)
    real = next(program for program in REAL if os.access(program, os.X_OK))
    os.execv(real, [real, *words])


if __name__ == "__main__":
    main(sys.argv[1:])
