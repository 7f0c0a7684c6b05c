"""A stand-in for Grafana, which Debian does not have: the part of its API that tells whether it is set up as written.

It reads the data sources and dashboards from the files that Grafana reads, asks the data source whether it answers, and
accepts only the admin's login. Like Grafana, it keeps the password of its first start: another one in its environment
changes nothing later.
"""

import base64
import hmac
import http.server
import json
import os
import pathlib
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import yaml

PROVISIONED = pathlib.Path("/etc/grafana/provisioning")
PASSWORD = pathlib.Path("/var/lib/grafana/admin-password")


def read(kind: str, field: str) -> list[dict[str, Any]]:
    files = sorted((PROVISIONED / kind).glob("*.y*ml"))
    return [one for file in files for one in yaml.safe_load(file.read_text()).get(field) or []]


def data_source(uid: str) -> dict[str, Any] | None:
    return next((one for one in read("datasources", "datasources") if one["uid"] == uid), None)


def dashboard(uid: str) -> dict[str, Any] | None:
    for provider in read("dashboards", "providers"):
        for file in sorted(pathlib.Path(provider["options"]["path"]).rglob("*.json")):
            found = json.loads(file.read_text())
            if found.get("uid") == uid:
                return {"meta": {"provisioned": True, "provisionedExternalId": file.name}, "dashboard": found}
    return None


def health(source: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Asks Prometheus for a number, as Grafana does."""
    url = f"{source['url']}/api/v1/query?{urllib.parse.urlencode({'query': '1+1'})}"
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            if json.load(answer)["status"] == "success":
                return 200, {"status": "OK", "message": "Successfully queried the Prometheus API."}
    except (OSError, ValueError) as error:
        return 400, {"status": "ERROR", "message": str(error)}
    return 400, {"status": "ERROR", "message": "the query failed"}


class Grafana(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.split("?")[0].strip("/").split("/")
        if path == ["metrics"]:
            self.send(200, b"grafana_build_info 1\n", "text/plain")
            return
        code, body = self.answer(path)
        self.send(code, json.dumps(body).encode(), "application/json")

    def answer(self, path: list[str]) -> tuple[int, dict[str, Any]]:
        if path == ["api", "health"]:
            return 200, {"database": "ok"}
        if not self.is_admin():
            return 401, {"message": "Unauthorized"}
        match path:
            case ["api", "datasources", "uid", uid, "health"] if source := data_source(uid):
                return health(source)
            case ["api", "datasources", "uid", uid] if source := data_source(uid):
                return 200, source
            case ["api", "dashboards", "uid", uid] if found := dashboard(uid):
                return 200, found
        return 404, {"message": "Not found"}

    def is_admin(self) -> bool:
        wanted = base64.b64encode(f"admin:{PASSWORD.read_text()}".encode()).decode()
        return hmac.compare_digest(self.headers.get("authorization", ""), f"Basic {wanted}")

    def send(self, code: int, body: bytes, kind: str) -> None:
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    if not PASSWORD.exists():
        PASSWORD.write_text(os.environ.get("GF_SECURITY_ADMIN_PASSWORD", "admin"))
    http.server.ThreadingHTTPServer(("", 3000), Grafana).serve_forever()


if __name__ == "__main__":
    main()
