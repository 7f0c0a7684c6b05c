#!/usr/bin/python3
"""A stand-in for Filebeat, which Debian does not have: it reads the journal (with `journalctl`, as Filebeat does) and
log files, and ships their lines to Logstash over Beats' own protocol.

It remembers how far it has read when Logstash has acknowledged the lines, so a restart neither loses nor repeats any.
Like Filebeat, it refuses settings that others may write. Unlike Filebeat, it also refuses settings that it does not
know, since Filebeat ignores those: in a file of the catalogue such a setting is a mistake.
"""

import argparse
import datetime
import glob
import json
import os
import pathlib
import queue
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

import yaml

HOME = pathlib.Path("/usr/share/filebeat")
VERSION = os.environ.get("VERSION", "8.0.0")
COMMON = {"type", "id", "enabled", "tags", "fields", "fields_under_root", "processors"}
INPUTS = {
    "journald": {"paths", "seek", "since", "units", "syslog_identifiers", "include_matches"},
    "filestream": {"paths", "parsers", "exclude_lines", "include_lines", "ignore_older"},
}
LOGSTASH = {"hosts", "enabled", "worker", "loadbalance", "bulk_max_size", "compression_level", "timeout", "ttl"}
TOP = {"filebeat.inputs", "output.logstash", "name", "tags", "fields", "logging.level", "logging.to_stderr"}
# The most events in a window, how long one is waited for, how often files are looked at, and the pause before a new
# connection, the last three in seconds.
WINDOW, WAIT, SCAN, PAUSE = 1024, 1, 1, 2
# Where an event comes from, how far that source is read with it, and the event.
Events = queue.Queue[tuple[str, Any, dict[str, Any]]]


class Unusable(Exception):
    """The reason why Filebeat does not start."""


def check_file(file: pathlib.Path) -> None:
    """Refuses a settings file that another user can change."""
    state = file.stat()
    if state.st_uid not in (0, os.geteuid()):
        raise Unusable(f'config file ("{file.name}") must be owned by the user identifier (uid={os.geteuid()}) or root')
    if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Unusable(
            f'config file ("{file.name}") can only be writable by the owner but the permissions are '
            f"\"{stat.filemode(state.st_mode)}\" (to fix the permissions use: 'chmod go-w {file}')"
        )


def refuse_unknown(given: Iterable[str], known: set[str], where: str) -> None:
    if unknown := set(given) - known:
        raise Unusable(f"{where} has no setting {sorted(unknown)[0]}")


def settings_of(file: pathlib.Path) -> tuple[list[dict[str, Any]], tuple[str, int]]:
    """The inputs and the address of Logstash."""
    check_file(file)
    try:
        settings = yaml.safe_load(file.read_text()) or {}
    except yaml.YAMLError as error:
        raise Unusable(f"error loading config file: {error}") from error
    outputs = [name for name in settings if name.startswith("output.")]
    if len(outputs) != 1:
        raise Unusable(f"more than one namespace configured accessing 'output' or none: {outputs}")
    refuse_unknown(settings, TOP, "filebeat.yml")
    output = settings["output.logstash"]
    refuse_unknown(output, LOGSTASH, "output.logstash")
    if not output.get("hosts"):
        raise Unusable("output.logstash has no hosts")
    inputs = [one for one in settings.get("filebeat.inputs") or [] if one.get("enabled", True)]
    if not inputs:
        raise Unusable(
            "no modules or inputs enabled and configuration reloading disabled. What files do you want me to watch?"
        )
    ids = set()
    for one in inputs:
        kind = one.get("type")
        if kind not in INPUTS:
            raise Unusable(f"failed creating input: unknown input type {kind}")
        refuse_unknown(one, COMMON | INPUTS[kind], f"the input {kind}")
        if kind == "filestream" and not one.get("paths"):
            raise Unusable("no path is configured")
        if one.get("id") in ids:
            raise Unusable(f"filestream inputs with duplicated IDs: {one.get('id')}")
        ids.add(one.get("id"))
        for parser in one.get("parsers") or []:
            if set(parser) - {"container"} or set(parser.get("container") or {}) - {"stream", "format"}:
                raise Unusable(f"unknown parser: {parser}")
    host, _, port = output["hosts"][0].partition(":")
    return inputs, (host, int(port or 5044))


def iso(seconds: float) -> str:
    at = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Registry:
    """How far each source was read and acknowledged."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(exist_ok=True)
        self.file = folder / "registry.json"
        self.known = json.loads(self.file.read_text()) if self.file.exists() else {}

    def note(self, places: dict[str, Any]) -> None:
        self.known.update(places)
        part = self.file.with_suffix(".new")
        part.write_text(json.dumps(self.known))
        part.rename(self.file)


def event(at: str, message: str, kind: str, **more: object) -> dict[str, Any]:
    return {
        "@timestamp": at,
        "message": message,
        "input": {"type": kind},
        **more,
        "agent": {"type": "filebeat", "version": VERSION},
        "host": {"name": socket.gethostname()},
        "@metadata": {"beat": "filebeat", "type": "_doc", "version": VERSION},
    }


def journal_event(entry: dict[str, Any]) -> dict[str, Any]:
    message = entry.get("MESSAGE")
    if isinstance(message, list):
        # journalctl lists the bytes of a message that is not text.
        message = bytes(message).decode(errors="replace")
    return event(
        iso(int(entry["__REALTIME_TIMESTAMP"]) / 1e6),
        message or "",
        "journald",
        systemd={"unit": entry.get("_SYSTEMD_UNIT")},
        process={"pid": entry.get("_PID")},
        log={"syslog": {"appname": entry.get("SYSLOG_IDENTIFIER"), "priority": entry.get("PRIORITY")}},
    )


def read_journal(one: dict[str, Any], registry: Registry, events: Events) -> None:
    place = f"journald:{one.get('id')}"
    while True:
        command = ["journalctl", "--output=json", "--all", "--follow", "--no-pager", "--no-tail", "--quiet"]
        command += [
            f"--{name[:-1].replace('_', '-')}={value}"
            for name in ("units", "syslog_identifiers")
            for value in one.get(name) or []
        ]
        if cursor := registry.known.get(place):
            command.append(f"--after-cursor={cursor}")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
            for line in process.stdout or ():
                entry = json.loads(line)
                events.put((place, entry["__CURSOR"], journal_event(entry)))
        print(f"journalctl has ended with {process.returncode}", file=sys.stderr, flush=True)
        time.sleep(PAUSE)


def parsed(line: str, one: dict[str, Any]) -> dict[str, Any] | None:
    """The event of a line, which the parser `container` reads as Docker wrote it."""
    if not one.get("parsers"):
        return event(iso(time.time()), line.rstrip("\n"), "filestream")
    entry = json.loads(line)
    if one["parsers"][0]["container"].get("stream", "all") not in ("all", entry["stream"]):
        return None
    at = entry["time"][:23].rstrip("Z") + "Z"
    return event(at, entry["log"].rstrip("\n"), "filestream", stream=entry["stream"])


def read_files(one: dict[str, Any], registry: Registry, events: Events) -> None:
    offsets: dict[str, int] = {}
    while True:
        for name in sorted(found for pattern in one["paths"] for found in glob.glob(pattern)):
            try:
                read_file(name, one, registry, events, offsets)
            except OSError:
                continue  # It was removed at this moment.
        time.sleep(SCAN)


def read_file(name: str, one: dict[str, Any], registry: Registry, events: Events, offsets: dict[str, int]) -> None:
    state = os.stat(name)
    place = f"filestream:{one['id']}:{state.st_dev}-{state.st_ino}"
    at = offsets.get(place, registry.known.get(place, 0))
    if state.st_size < at:
        at = 0
    with open(name, "rb") as file:
        file.seek(at)
        for line in file:
            if not line.endswith(b"\n"):
                break
            at += len(line)
            try:
                found = parsed(line.decode(errors="replace"), one)
            except (ValueError, KeyError):
                continue
            if found:
                found["log"] = {"file": {"path": name}, "offset": at - len(line)}
                events.put((place, at, found))
    offsets[place] = at


def windows(events: Events) -> Any:
    """The events that wait, up to the size of a window."""
    while True:
        window = [events.get()]
        until = time.monotonic() + WAIT
        while len(window) < WINDOW and (left := until - time.monotonic()) > 0:
            try:
                window.append(events.get(timeout=left))
            except queue.Empty:
                break
        yield window


def ship(connection: socket.socket, window: Any) -> None:
    """Sends a window, and waits for its acknowledgment."""
    data = b"2W" + struct.pack(">I", len(window))
    for number, (_, _, one) in enumerate(window, 1):
        body = json.dumps(one).encode()
        data += b"2J" + struct.pack(">II", number, len(body)) + body
    connection.sendall(data)
    acknowledged = b""
    while len(acknowledged) < 6:
        part = connection.recv(6 - len(acknowledged))
        if not part:
            raise ConnectionError("the connection has ended")
        acknowledged += part


def run(inputs: list[dict[str, Any]], address: tuple[str, int], registry: Registry) -> None:
    events: Events = queue.Queue(maxsize=2 * WINDOW)
    readers = {"journald": read_journal, "filestream": read_files}
    for one in inputs:
        threading.Thread(target=readers[one["type"]], args=(one, registry, events), daemon=True).start()
    connection = None
    for window in windows(events):
        while True:
            try:
                connection = connection or socket.create_connection(address)
                ship(connection, window)
                registry.note({place: at for place, at, _ in window})
                break
            except OSError as error:
                # One line for each try, because this program's own log is among the files that it reads.
                print(f"Failed to publish events to {address[0]}: {error}", file=sys.stderr, flush=True)
                if connection:
                    connection.close()
                connection = None
                time.sleep(PAUSE)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="filebeat", allow_abbrev=False)
    parser.add_argument("-e", action="store_true")
    parser.add_argument("-c", type=pathlib.Path, default=HOME / "filebeat.yml")
    parser.add_argument("-environment")
    asked = parser.parse_args(words)
    try:
        inputs, address = settings_of(asked.c)
    except (Unusable, OSError) as why:
        sys.exit(f"Exiting: {why}")
    run(inputs, address, Registry(HOME / "data"))


if __name__ == "__main__":
    main(sys.argv[1:])
