"""A stand-in for Kibana, which Debian does not have: its settings, its status, its login and its saved data views.

It logs in to Elasticsearch as the settings say, and is available only as long as that works. It asks Elasticsearch who
a visitor is, and keeps the data views there. Unlike Kibana, which ignores them, it refuses variables of the environment
that look like a setting and are not: in a file of the catalogue such a variable is a mistake.
"""

import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.parse
import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from client import Elasticsearch, basic

VERSION = os.environ.get("VERSION", "8.0.0")
SETTINGS = {
    *("server.name", "server.host", "server.port", "server.publicBaseUrl", "server.basePath", "telemetry.enabled"),
    *("elasticsearch.hosts", "elasticsearch.username", "elasticsearch.password", "elasticsearch.serviceAccountToken"),
    *("elasticsearch.ssl.certificateAuthorities", "elasticsearch.ssl.verificationMode", "elasticsearch.requestTimeout"),
    *("xpack.security.encryptionKey", "xpack.encryptedSavedObjects.encryptionKey", "xpack.reporting.encryptionKey"),
    *("i18n.locale", "logging.root.level", "telemetry.optIn"),
}
VARIABLES = {re.sub(r"[.]", "_", name).upper(): name for name in SETTINGS}
LOOKS_LIKE_SETTING = re.compile(r"(SERVER|ELASTICSEARCH|XPACK|TELEMETRY|KIBANA|LOGGING|I18N)_")
# How often Kibana asks whether Elasticsearch is there, in seconds.
LOOK = 2.5
# The shortest key for encryption, in characters.
KEY = 32
# The roles that may keep data views.
EDITORS = {"superuser", "kibana_admin", "editor"}
INDEX = ".kibana"
PAGE = b"<!doctype html><title>Elastic</title><h1>Welcome to Elastic</h1><form method=post></form>"


class Unusable(Exception):
    """The reason why Kibana does not start."""


def settings_of(environment: Mapping[str, str]) -> dict[str, str]:
    settings = {}
    for name, value in environment.items():
        if name in VARIABLES:
            settings[VARIABLES[name]] = value
        elif LOOKS_LIKE_SETTING.match(name):
            raise Unusable(f"{name} is not a setting")
    for name, value in settings.items():
        if name == "telemetry.enabled" and value not in ("true", "false"):
            raise Unusable(
                f"[config validation of [telemetry].enabled]: expected value of type [boolean] but got [{value}]"
            )
        if name.endswith("encryptionKey") and len(value) < KEY:
            raise Unusable(
                f"[config validation of [{name}]: value has length [{len(value)}] but it must have a minimum "
                f"length of [{KEY}]."
            )
    hosts = settings.get("elasticsearch.hosts", "http://localhost:9200")
    if not re.fullmatch(r"https?://[^/]+:\d+/?", hosts):
        raise Unusable(
            f"[config validation of [elasticsearch].hosts]: expected URI with scheme [http|https] but got [{hosts}]"
        )
    if settings.get("elasticsearch.username") == "elastic":
        raise Unusable(
            '[config validation of [elasticsearch].username]: value of "elastic" is forbidden. This is a superuser '
            "account that cannot write to system indices that Kibana needs to function."
        )
    if ("elasticsearch.username" in settings) != ("elasticsearch.password" in settings):
        raise Unusable("[config validation of [elasticsearch]]: username and password are set together")
    return settings


class State:
    """What Kibana knows about Elasticsearch."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.elasticsearch = Elasticsearch(
            settings.get("elasticsearch.hosts", "http://localhost:9200"),
            settings.get("elasticsearch.ssl.certificateAuthorities"),
            settings.get("elasticsearch.username"),
            settings.get("elasticsearch.password"),
        )
        self.name, self.why = settings.get("server.name", "kibana"), "Elasticsearch was not asked yet"

    def look(self) -> None:
        """Asks for Elasticsearch's version with Kibana's own login; `why` then says why Kibana is not available."""
        try:
            status, answer = self.elasticsearch.ask("GET", "_nodes?filter_path=nodes.*.version")
            versions = {one["version"] for one in answer.get("nodes", {}).values()}
            if status != 200:
                self.why = f"Elasticsearch answers {status}"
            elif versions != {VERSION}:
                nodes = f"the Elasticsearch nodes: {sorted(versions)}"
                self.why = f"This version of Kibana (v{VERSION}) is incompatible with {nodes}"
            else:
                self.why = ""
        except OSError as error:
            self.why = f"Unable to retrieve version information from Elasticsearch nodes. {error}"

    def watch(self) -> None:
        before = None
        while True:
            self.look()
            if self.why != before:
                print(self.why or "Kibana is now available", flush=True)
                before = self.why
            time.sleep(LOOK)


class Kibana(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: State
    sessions: ClassVar[dict[str, str]] = {}

    def log_message(self, *_: object) -> None:
        pass

    def serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length)
        path = urllib.parse.urlsplit(self.path).path.strip("/").split("/")
        if path == ["api", "status"]:
            level = "unavailable" if self.state.why else "available"
            self.send(
                503 if self.state.why else 200,
                {
                    "name": self.state.name,
                    "version": {"number": VERSION},
                    "status": {"overall": {"level": level, "summary": self.state.why or "All services are available"}},
                },
            )
            return
        if self.state.why:
            self.send(503, b"Kibana server is not ready yet.", "text/plain")
            return
        if path == ["login"]:
            self.send(200, PAGE, "text/html; charset=utf-8")
            return
        if path[0] not in ("api", "internal"):
            self.send(302, b"", "text/html", {"location": f"/login?next={urllib.parse.quote(self.path, safe='')}"})
            return
        # Kibana refuses what a page of another site could send.
        if self.command != "GET" and "kbn-xsrf" not in self.headers:
            self.send(400, {"statusCode": 400, "message": "Request must contain a kbn-xsrf header."})
            return
        try:
            given = json.loads(body) if body else {}
        except ValueError:
            self.send(400, {"statusCode": 400, "message": "Invalid request payload JSON format"})
            return
        if path == ["internal", "security", "login"]:
            self.log_in(given)
            return
        _, user = self.visitor()
        if not user:
            self.send(401, {"statusCode": 401, "error": "Unauthorized", "message": "Unauthorized"})
            return
        self.send(*self.handle_call(path, given, user))

    do_GET = do_POST = do_DELETE = serve

    def send(
        self, status: int, body: Any, kind: str = "application/json; charset=utf-8", more: dict[str, str] | None = None
    ) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {
            "kbn-name": self.state.name,
            "content-type": kind,
            "content-length": str(len(data)),
            **(more or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def who(self, login: str) -> dict[str, Any] | None:
        status, user = self.state.elasticsearch.ask("GET", "_security/_authenticate", login=login)
        return user if status == 200 else None

    def visitor(self) -> tuple[str | None, dict[str, Any] | None]:
        """The visitor's login at Elasticsearch, from the header or the session."""
        session = re.search(r"\bsid=(\w+)", self.headers.get("cookie", ""))
        login = self.headers.get("authorization") or self.sessions.get(session[1] if session else "")
        return login, self.who(login) if login else None

    def log_in(self, given: dict[str, Any]) -> None:
        asked = given.get("params") or {}
        login = basic(asked.get("username", ""), asked.get("password", ""))
        if not self.who(login):
            self.send(401, {"statusCode": 401, "error": "Unauthorized", "message": "Unauthorized"})
            return
        session = uuid.uuid4().hex
        self.sessions[session] = login
        self.send(200, {"location": "/"}, more={"set-cookie": f"sid={session}; HttpOnly; Path=/"})

    def handle_call(self, path: list[str], given: dict[str, Any], user: dict[str, Any]) -> tuple[int, Any]:
        ask = self.state.elasticsearch.ask
        if self.command != "GET" and not EDITORS & set(user["roles"]):
            return 403, {"statusCode": 403, "error": "Forbidden", "message": "Unable to create index-pattern"}
        match (self.command, path):
            case ("GET", ["internal", "security", "me"]):
                return 200, user
            case ("GET", ["api", "data_views"]):
                status, found = ask("GET", f"{INDEX}/_search?size=1000")
                hits = found["hits"]["hits"] if status == 200 else []
                return 200, {"data_view": [{"id": one["_id"], **one["_source"]} for one in hits]}
            case ("POST", ["api", "data_views", "data_view"]):
                view = given.get("data_view") or {}
                if (
                    set(given) - {"data_view", "override"}
                    or not view.get("title")
                    or set(view) - {"id", "title", "name", "timeFieldName", "allowNoIndex", "namespaces"}
                ):
                    return 400, {"statusCode": 400, "message": "[request body.data_view]: wrong definition"}
                number = view.pop("id", None) or str(uuid.uuid4())
                status, answer = ask("PUT", f"{INDEX}/_doc/{number}", view)
                return (200, {"data_view": {"id": number, **view}}) if status < 300 else (status, answer)
            case (_, ["api", "data_views", "data_view", number]):
                status, found = ask(self.command, f"{INDEX}/_doc/{number}")
                view = {"data_view": {"id": number, **found.get("_source", {})}}
                return (200, view) if status == 200 else (404, {"statusCode": 404, "message": "Not Found"})
        return 404, {"statusCode": 404, "error": "Not Found", "message": "Not Found"}


def start(environment: Mapping[str, str], port: int = 5601) -> http.server.ThreadingHTTPServer:
    Kibana.state = State(settings_of(environment))
    threading.Thread(target=Kibana.state.watch, daemon=True).start()
    return http.server.ThreadingHTTPServer(("", port), Kibana)


if __name__ == "__main__":
    try:
        running = start(os.environ)
    except (Unusable, OSError) as why:
        sys.exit(f"FATAL {why}")
    running.serve_forever()
