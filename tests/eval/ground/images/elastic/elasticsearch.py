"""A stand-in for Elasticsearch, which Debian does not have: the part of its HTTP API that the catalogue's files, steps
and checks use, over TLS and with logins (security.py), indices that it keeps on disk (indices.py) and searches
(search.py).

It refuses what Elasticsearch refuses, as far as these files reach: a setting that does not exist or has a wrong value,
a file that its user may not read, a heap that does not fit into the container, and a request without the privilege for
it. Its settings are the arguments `-Ename=value`, which the entrypoint makes of the environment.
"""

import http.server
import json
import os
import pathlib
import re
import ssl
import sys
import threading
import time
import urllib.parse
from collections.abc import Mapping
from typing import Any

from indices import Indices
from security import Refused, Security

HOME = pathlib.Path("/usr/share/elasticsearch")
VERSION = os.environ.get("VERSION", "8.0.0")
FLAGS = {"true": True, "false": False}
BOOLEANS = {
    *("bootstrap.memory_lock", "xpack.security.enabled", "xpack.security.enrollment.enabled", "xpack.ml.enabled"),
    *("xpack.security.http.ssl.enabled", "xpack.security.transport.ssl.enabled", "ingest.geoip.downloader.enabled"),
    *("action.destructive_requires_name", "xpack.security.audit.enabled"),
}
TEXTS = {
    *(
        "cluster.name",
        "node.name",
        "node.roles",
        "discovery.type",
        "discovery.seed_hosts",
        "cluster.initial_master_nodes",
    ),
    *(
        "network.host",
        "http.host",
        "http.port",
        "path.data",
        "path.logs",
        "path.repo",
        "xpack.license.self_generated.type",
    ),
    *(
        f"xpack.security.{layer}.ssl.{name}"
        for layer in ("http", "transport")
        for name in (
            "key",
            "certificate",
            "certificate_authorities",
            "verification_mode",
            "client_authentication",
            "keystore.path",
            "truststore.path",
            "supported_protocols",
        )
    ),
}
SIZES = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
# How often expired indices are looked for, in seconds. Elasticsearch looks every ten minutes.
LIFECYCLE = 60
# The longest body of a request, in bytes, as in `http.max_content_length`.
BODY = 100 << 20


class Unusable(Exception):
    """The reason why Elasticsearch does not start."""


def settings_of(arguments: list[str]) -> dict[str, Any]:
    """The settings, each known and of the right kind."""
    settings = {}
    for argument in arguments:
        name, _, value = argument.removeprefix("-E").partition("=")
        if name not in BOOLEANS | TEXTS:
            raise Unusable(
                f"unknown setting [{name}] please check that any required plugins are installed, or check the "
                "breaking changes documentation for removed settings"
            )
        if name in BOOLEANS and value not in FLAGS:
            raise Unusable(f"Failed to parse value [{value}] as only [true] or [false] are allowed.")
        settings[name] = FLAGS[value] if name in BOOLEANS else value
    kind = settings.get("discovery.type", "multi-node")
    if kind != "single-node":
        raise Unusable(f"this stand-in is one node, and discovery.type is [{kind}]")
    return settings


def heap(options: str) -> int:
    """The size of the heap that Java's options ask for, in bytes."""
    sizes = {}
    for option in options.split():
        if found := re.fullmatch(r"-X(ms|mx)(\d+)([kmgKMG])", option):
            sizes[found[1]] = int(found[2]) * SIZES[found[3].lower()]
        elif not option.startswith(("-D", "-XX:")):
            raise Unusable(f"Unrecognized option: {option}")
    if sizes.get("ms", 0) > sizes.get("mx", sizes.get("ms", 0)):
        raise Unusable("Initial heap size set to a larger value than the maximum heap size")
    return sizes.get("mx", 0)


def limit() -> float:
    """The container's limit of memory, in bytes."""
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        if (path := pathlib.Path(file)).is_file() and (text := path.read_text().strip()).isdigit():
            return int(text)
    return float("inf")


def context(settings: dict[str, Any], layer: str = "xpack.security.http.ssl.") -> ssl.SSLContext | None:
    """The server's side of TLS, or None without TLS."""
    if not settings.get(layer + "enabled"):
        return None
    files = {
        name: HOME / "config" / settings[layer + name] for name in ("key", "certificate") if layer + name in settings
    }
    if len(files) < 2:
        raise Unusable(f"[{layer}enabled] is true, but there is no [{layer}key] and [{layer}certificate]")
    try:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(files["certificate"], files["key"])
        if authorities := settings.get(layer + "certificate_authorities"):
            tls.load_verify_locations(HOME / "config" / authorities)
        return tls
    except (OSError, ssl.SSLError) as error:
        raise Unusable(f"failed to load SSL configuration [{layer[:-1]}] - {error}") from error


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    security: Security
    indices: Indices
    cluster = node = "elasticsearch"

    def log_message(self, *_: object) -> None:
        pass

    def serve(self) -> None:
        try:
            length = int(self.headers.get("content-length") or 0)
            if length > BODY:
                raise Refused(413, "content_too_large_exception", f"{length} bytes are too many")
            body = self.rfile.read(length)
            self.user = self.security.user_of(self.headers.get("authorization", ""))
            status, answer = self.handle_call(body)
        except Refused as refused:
            status, kind, why = refused.args
            reason = {"type": kind, "reason": why}
            answer = {"error": {"root_cause": [reason], **reason}, "status": status}
        self.send(status, answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = serve

    def send(self, status: int, answer: Any) -> None:
        data = b"" if answer is None else json.dumps(answer, separators=(",", ":")).encode()
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="security", charset="UTF-8"')
        self.send_header("X-elastic-product", "Elasticsearch")
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def need(self, privilege: str) -> None:
        self.security.need_cluster(self.user, privilege)

    def json_of(self, body: bytes) -> Any:
        if body and not self.headers.get("content-type", "").startswith("application/"):
            raise Refused(
                406, "status_exception", f"Content-Type header [{self.headers.get('content-type')}] is not supported"
            )
        try:
            return json.loads(body) if body else {}
        except ValueError as error:
            raise Refused(400, "x_content_parse_exception", str(error)) from error

    def handle_call(self, body: bytes) -> tuple[int, Any]:
        url = urllib.parse.urlsplit(self.path)
        path = [urllib.parse.unquote(part) for part in url.path.strip("/").split("/") if part]
        asked = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        # With HEAD, Elasticsearch answers as with GET, without the body.
        method = "GET" if self.command == "HEAD" else self.command
        match (method, path):
            case ("GET", []):
                self.need("monitor")
                return 200, {
                    "name": self.node,
                    "cluster_name": self.cluster,
                    "version": {"number": VERSION},
                    "tagline": "You Know, for Search",
                }
            case ("GET", ["_cluster", "health"]):
                self.need("monitor")
                return self.health(asked)
            case ("GET", ["_license"]):
                self.need("monitor")
                return 200, {"license": {"status": "active", "type": "basic"}}
            case ("GET", ["_nodes", *_]):
                self.need("monitor")
                return 200, {"cluster_name": self.cluster, "nodes": {"1": {"name": self.node, "version": VERSION}}}
            case (_, ["_security", *rest]):
                return self.security.handle_call(method, rest, self.user, self.json_of(body))
            case (_, [*_, "_bulk"]):
                return self.indices.bulk(path[:-1], body, self.user)
            case _:
                return self.indices.handle_call(method, path, asked, self.json_of(body), self.user)

    def health(self, asked: dict[str, str]) -> tuple[int, Any]:
        order = ["red", "yellow", "green"]
        wanted = asked.get("wait_for_status", "red")
        if wanted not in order:
            raise Refused(400, "illegal_argument_exception", f"unknown cluster health status [{wanted}]")
        status = self.indices.health()
        late = order.index(status) < order.index(wanted)
        return (408 if late else 200), {
            "cluster_name": self.cluster,
            "status": status,
            "timed_out": late,
            "number_of_nodes": 1,
            "active_shards": len(self.indices.all),
        }


class Server(http.server.ThreadingHTTPServer):
    tls: ssl.SSLContext | None = None

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        if self.tls:
            # The handshake follows in the caller's own thread, so that a slow caller does not delay others.
            connection = self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller that breaks off or does not trust the certificate is not an error of the server."""


def sweep(indices: Indices) -> None:
    while True:
        time.sleep(LIFECYCLE)
        indices.expire(time.time())


def start(arguments: list[str], environment: Mapping[str, str], port: int = 9200) -> Server:
    settings = settings_of(arguments)
    if settings.get("bootstrap.memory_lock") and heap(environment.get("ES_JAVA_OPTS", "")) > limit():
        raise Unusable(
            "memory locking requested for elasticsearch process but the heap is larger than the container's memory"
        )
    data = pathlib.Path(environment.get("DATA", HOME / "data"))
    Handler.security = Security(data, environment.get("ELASTIC_PASSWORD"), settings.get("xpack.security.enabled", True))
    Handler.indices = Indices(data, Handler.security)
    Handler.cluster, Handler.node = settings.get("cluster.name", "docker-cluster"), settings.get("node.name", "node")
    Server.tls = context(settings)
    server = Server(("", port), Handler)
    threading.Thread(target=sweep, args=(Handler.indices,), daemon=True).start()
    return server


if __name__ == "__main__":
    try:
        running = start(sys.argv[1:], os.environ)
    except Unusable as why:
        sys.exit(f"fatal exception while booting Elasticsearch: {why}")
    print(f"a stand-in for Elasticsearch {VERSION} has started", flush=True)
    running.serve_forever()
