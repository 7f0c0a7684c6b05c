"""The way from the stand-ins for Kibana and Logstash to Elasticsearch: requests over TLS with a login."""

import base64
import json
import ssl
import urllib.error
import urllib.request
from typing import Any

# How long an answer may take, in seconds.
PATIENCE = 30


class Elasticsearch:
    """Elasticsearch at an address, for a login."""

    def __init__(
        self, address: str, authorities: str | None = None, user: str | None = None, password: str | None = None
    ) -> None:
        self.address = address.rstrip("/")
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if address.startswith("https:"):
            # A file that is missing or cannot be read ends the program here, as it ends the real one.
            handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=authorities)))
        self.opener = urllib.request.build_opener(*handlers)
        self.login = basic(user, password) if user else None

    def ask(
        self, method: str, path: str, body: Any = None, login: str | None = None, kind: str = "application/json"
    ) -> tuple[int, Any]:
        """The status and the answer. Raises OSError if there is no connection or no trust in it."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.address}/{path}", data, {"content-type": kind}, method=method)
        if login := login or self.login:
            asked.add_header("authorization", login)
        try:
            with self.opener.open(asked, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")


def basic(user: str, password: str | None) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
