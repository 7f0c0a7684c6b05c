"""A stand-in for Logstash, which Debian does not have: it takes events from Filebeat over Beats' own protocol, and
writes them to Elasticsearch as its pipeline says (pipeline.py).

An event is acknowledged when Elasticsearch has it, so none is lost while Elasticsearch is away. Its HTTP API tells
about the pipeline, with the number of events.
"""

import datetime
import http.server
import json
import os
import pathlib
import re
import socketserver
import struct
import sys
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from client import Elasticsearch
from pipeline import Invalid, read

HOME = pathlib.Path("/usr/share/logstash")
# The pauses before a request is repeated, in seconds: the first, and the longest.
FIRST, LONGEST = 2, 64
# The answers after which Elasticsearch refuses the same event again, so that it is dropped.
FINAL = (400, 403, 404, 409)

counted = {"in": 0, "out": 0, "dropped": 0}
lock = threading.Lock()


def log(text: str) -> None:
    print(text, flush=True)


def field(event: Any, path: str) -> Any:
    """A field by Logstash's name of it, such as `[host][name]`."""
    for name in re.findall(r"[^\[\]]+", path):
        event = event.get(name) if isinstance(event, dict) else None
    return event


def filled(text: str, event: dict[str, Any]) -> str:
    """A text of the pipeline with the event's fields and date in it."""

    def value(found: re.Match[str]) -> str:
        if not found[1].startswith("+"):
            own = field(event, found[1])
            return found[0] if own is None else str(own)
        at = datetime.datetime.fromisoformat(event["@timestamp"].replace("Z", "+00:00")).astimezone(datetime.UTC)
        parts = {"YYYY": "%Y", "yyyy": "%Y", "MM": "%m", "dd": "%d", "HH": "%H", "xxxx": "%G", "ww": "%V"}
        return re.sub("|".join(parts), lambda part: at.strftime(parts[part[0]]), found[1][1:])

    return re.sub(r"%\{([^}]+)\}", value, text)


def mutated(settings: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    for name in settings.get("remove_field", []):
        event.pop(name, None)
    for old, new in settings.get("rename", {}).items():
        if old in event:
            event[new] = event.pop(old)
    for name, text in settings.get("add_field", {}).items():
        event[name] = filled(str(text), event)
    return event


class Output:
    """The output to Elasticsearch."""

    def __init__(self, settings: dict[str, Any]) -> None:
        hosts = settings.get("hosts", ["http://127.0.0.1:9200"])
        address = hosts if isinstance(hosts, str) else hosts[0]
        if settings.get("data_stream", "false") == "true" and "index" in settings:
            raise Invalid("Invalid data stream configuration, following parameters are not supported: index")
        if bool(settings.get("user")) != bool(settings.get("password")):
            raise Invalid("elasticsearch: user and password are set together")
        authorities = settings.get("ssl_certificate_authorities", [None])
        if address.startswith("http:") and settings.get("ssl_enabled") == "true":
            raise Invalid("ssl_enabled is set to true, and a host begins with http:")
        try:
            self.elasticsearch = Elasticsearch(
                address,
                authorities if isinstance(authorities, str) else authorities[0],
                settings.get("user"),
                settings.get("password"),
            )
        except OSError as error:
            raise Invalid(f"ssl_certificate_authorities: {error}") from error
        self.index, self.action = settings.get("index", "logs-generic-default"), settings.get("action", "create")

    def write(self, events: list[dict[str, Any]]) -> None:
        """Writes the events; tries again until Elasticsearch has each of them or refuses it."""
        pause = FIRST
        while events:
            lines = []
            for event in events:
                lines += [{self.action: {"_index": filled(self.index, event)}}, event]
            body = "".join(json.dumps(line) + "\n" for line in lines).encode()
            try:
                status, answer = self.elasticsearch.ask("POST", "_bulk", body, kind="application/x-ndjson")
                if status == 200:
                    again: list[dict[str, Any]] = []
                    for event, item in zip(events, answer["items"], strict=True):
                        [done] = item.values()
                        self.count(event, done, again)
                    events = again
                    if not events:
                        return
                    continue
                why = f"{status} {json.dumps(answer)[:300]}"
            except (OSError, ValueError) as error:
                why = str(error)
            log(f"Attempted to send a bulk request to elasticsearch, but got an error; retrying in {pause} s: {why}")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST)

    def count(self, event: dict[str, Any], item: dict[str, Any], again: list[dict[str, Any]]) -> None:
        with lock:
            if item["status"] < 300:
                counted["out"] += 1
            elif item["status"] in FINAL:
                counted["dropped"] += 1
                log(f"Could not index event to Elasticsearch: {json.dumps(item)[:300]}")
            else:
                again.append(event)


class Pipeline:
    def __init__(self, plugins: list[tuple[str, str, dict[str, Any]]]) -> None:
        self.filters = [settings for section, _, settings in plugins if section == "filter"]
        self.outputs = [Output(settings) for section, _, settings in plugins if section == "output"]
        self.ports = [int(settings["port"]) for section, _, settings in plugins if section == "input"]

    def take(self, events: list[dict[str, Any]]) -> None:
        with lock:
            counted["in"] += len(events)
        for event in events:
            event.pop("@metadata", None)
            event["@version"] = "1"
            event.setdefault("event", {})["original"] = event.get("message")
            for settings in self.filters:
                mutated(settings, event)
        for output in self.outputs:
            output.write(events)


def frames(data: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The numbers and events of compressed frames."""
    at = 0
    while at < len(data):
        number, length = struct.unpack(">II", data[at + 2 : at + 10])
        yield number, json.loads(data[at + 10 : at + 10 + length])
        at += 10 + length


class Beats(socketserver.StreamRequestHandler):
    """A connection of Filebeat: windows of events in frames, each window with one acknowledgment."""

    server: "Server"

    def exactly(self, count: int) -> bytes:
        data = self.rfile.read(count)
        if len(data) < count:
            raise EOFError
        return data

    def handle(self) -> None:
        try:
            while True:
                version, kind = self.exactly(2)
                if version != ord("2") or kind != ord("W"):
                    return log("Invalid version or frame of beats protocol")
                [window] = struct.unpack(">I", self.exactly(4))
                self.server.pipeline.take([event for _, event in self.window(window)])
                self.wfile.write(b"2A" + struct.pack(">I", window))
        except (EOFError, OSError):
            return None

    def window(self, size: int) -> list[tuple[int, dict[str, Any]]]:
        found: list[tuple[int, dict[str, Any]]] = []
        while len(found) < size:
            _, kind = self.exactly(2)
            if kind == ord("J"):
                number, length = struct.unpack(">II", self.exactly(8))
                found.append((number, json.loads(self.exactly(length))))
            elif kind == ord("C"):
                [length] = struct.unpack(">I", self.exactly(4))
                found += frames(zlib.decompress(self.exactly(length)))
            else:
                raise EOFError
        return found


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    pipeline: Pipeline


class Api(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path.split("?")[0].rstrip("/")
        known: dict[str, dict[str, Any]] = {
            "": {},
            "/_node/pipelines": {"pipelines": {"main": {"workers": 1, "batch_size": 125}}},
            "/_node/stats/pipelines": {"pipelines": {"main": {"events": counted}}},
        }
        data = json.dumps({"version": os.environ.get("VERSION"), "status": "green", **known.get(path, {})}).encode()
        self.send_response(200 if path in known else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def start(folder: pathlib.Path, environment: Mapping[str, str], api: int = 9600) -> list[socketserver.TCPServer]:
    """The servers of a folder's pipeline, which do not serve yet."""
    files = sorted(folder.glob("*.conf"))
    if not files:
        raise Invalid(f"No configuration found in {folder}")
    pipeline = Pipeline(read("\n".join(file.read_text() for file in files), environment))
    servers: list[socketserver.TCPServer] = [http.server.ThreadingHTTPServer(("", api), Api)]
    for port in pipeline.ports:
        server = Server(("", port), Beats)
        server.pipeline = pipeline
        servers.append(server)
    return servers


if __name__ == "__main__":
    try:
        running = start(HOME / "pipeline", os.environ)
    except (Invalid, OSError) as why:
        sys.exit(f"Failed to execute action: {why}")
    for one in running[1:]:
        threading.Thread(target=one.serve_forever, daemon=True).start()
    log("Pipelines running")
    running[0].serve_forever()
