#!/usr/bin/env python3
"""Asks HAProxy for its servers, and takes one out or puts it back: app-servers list | wait|take-out|put-back NAME

`take-out` ends when the server has finished all its requests, `put-back` and `wait` when it gets requests again. A
restart of HAProxy puts all servers back.
"""

import csv
import socket
import sys
import time

ADMIN, BACKEND = "/run/haproxy/admin.sock", "app"
# How long a change may take, and the pause between two looks, in seconds.
PATIENCE, LOOK = 60, 0.2


def say(command):
    with socket.socket(socket.AF_UNIX) as admin:
        admin.settimeout(10)
        admin.connect(ADMIN)
        admin.sendall(command.encode() + b"\n")
        parts = []
        while part := admin.recv(65536):
            parts.append(part)
    return b"".join(parts).decode().strip()


def servers():
    """HAProxy's counters for each server, by name."""
    rows = csv.DictReader(say("show stat").removeprefix("# ").splitlines())
    return {row["svname"]: row for row in rows if row["pxname"] == BACKEND and row["svname"] != "BACKEND"}


def until(name, what, holds):
    deadline = time.monotonic() + PATIENCE
    while not holds(servers()[name]):
        if time.monotonic() > deadline:
            sys.exit(f"{name} is not {what} after {PATIENCE} seconds: {servers()[name]['status']}")
        time.sleep(LOOK)
    print(f"{name} is {what}")


def main():
    order, *rest = sys.argv[1:] or ["help"]
    known = servers() if order in ("list", "wait", "take-out", "put-back") else {}
    if order == "list" and not rest:
        for name, row in known.items():
            print(
                f"{name}: {row['status']}, {row['scur']} requests now, {row['stot']} since the start, "
                f"{row['wretr']} tried again, {row['wredis']} sent to another server"
            )
        return
    if order not in ("wait", "take-out", "put-back") or len(rest) != 1:
        sys.exit(__doc__)
    name = rest[0]
    if name not in known:
        sys.exit(f"there is no server {name}; there are: {', '.join(known)}")
    if order == "take-out":
        say(f"set server {BACKEND}/{name} state drain")
        until(name, "out", lambda row: row["status"].startswith("DRAIN") and row["scur"] == "0")
        return
    if order == "put-back":
        say(f"set server {BACKEND}/{name} state ready")
    until(name, "up", lambda row: row["status"] == "UP")


if __name__ == "__main__":
    main()
