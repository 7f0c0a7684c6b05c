#!/usr/bin/env python3
"""A small web service: one page, one health check, no packages to install."""

import base64
import hmac
import html
import json
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CONFIG_FILE = Path(__file__).resolve().with_name("service.json")
STARTED = time.monotonic()


def load_config():
    """service.json, with host and port open to the environment for containers."""
    config = json.loads(CONFIG_FILE.read_text(encoding="utf-8"))
    config["host"] = os.environ.get("SERVICE_HOST", config["host"])
    config["port"] = int(os.environ.get("SERVICE_PORT", config["port"]))
    return config


CONFIG = load_config()


def reader():
    """The header that identifies a reader of the page, or None while everyone is one."""
    access = CONFIG.get("access", "open")
    if access == "open":
        return None
    kept = CONFIG_FILE.with_name("access").joinpath(access).read_text(encoding="utf-8").strip()
    both = base64.b64encode(":".join([CONFIG["name"], kept]).encode("utf-8"))
    return b" ".join([b"Basic", both])


READER = reader()


def health():
    return {
        "status": "ok",
        "service": CONFIG["name"],
        "uptime_seconds": round(time.monotonic() - STARTED, 1),
    }


def page():
    name = html.escape(CONFIG["name"])
    greeting = html.escape(CONFIG["greeting"])
    health_path = html.escape(CONFIG["health_path"])
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>
body {{ font: 1.1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem; }}
</style>
</head>
<body>
<h1>{name}</h1>
<p>{greeting}</p>
<p>Health: <a href="{health_path}">{health_path}</a></p>
</body>
</html>
"""


class Handler(BaseHTTPRequestHandler):
    server_version = "small-service"
    sys_version = ""

    def do_GET(self):
        path = self.path.split("?", 1)[0]
        if path == CONFIG["health_path"]:
            self.answer_json(200, health())
        elif path == "/" and not self.may_read():
            self.answer_json(401, {"error": "not for everybody"})
        elif path == "/":
            self.answer(200, "text/html; charset=utf-8", page())
        else:
            self.answer_json(404, {"error": "not found"})

    do_HEAD = do_GET

    def may_read(self):
        header = self.headers.get("Authorization", "").encode("utf-8")
        return READER is None or hmac.compare_digest(header, READER)

    def answer_json(self, status, value):
        self.answer(status, "application/json", json.dumps(value) + "\n")

    def answer(self, status, content_type, text):
        body = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if status == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="page"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def main():
    address = (CONFIG["host"], CONFIG["port"])
    try:
        server = ThreadingHTTPServer(address, Handler)
    except OSError as error:
        sys.exit(f"cannot listen on {address[0]}:{address[1]}: {error.strerror}")

    # shutdown() waits for the serving loop, so it must not run inside it.
    def stop(_signal, _frame):
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"{CONFIG['name']} listening on http://{address[0]}:{address[1]}", flush=True)
    server.serve_forever()
    print("stopped", flush=True)


if __name__ == "__main__":
    main()
