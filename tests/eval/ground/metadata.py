"""The metadata service of an instance, at its address inside the server: it refuses callers without a token if one is
required. Its argument is `required` or `optional`, as in `http_tokens`.
"""

import http.server
import multiprocessing
import os
import secrets
import subprocess
import sys
from multiprocessing.synchronize import Event

ADDRESS, NEIGHBOR = "169.254.169.254", "169.254.169.253"
TOKEN = secrets.token_hex(28)


class Metadata(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def send(self, code: int, text: str = "") -> None:
        self.send_response(code)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_PUT(self) -> None:
        asked = self.path == "/latest/api/token" and self.headers.get("x-aws-ec2-metadata-token-ttl-seconds")
        self.send(*((200, TOKEN) if asked else (400,)))

    def do_GET(self) -> None:
        given = self.headers.get("x-aws-ec2-metadata-token")
        if given != TOKEN and (given or sys.argv[1] == "required"):
            self.send(401)
            return
        self.send(200, "ami-id\nhostname\ninstance-id\n")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def main() -> None:
    # The service is not on a port of the server, so it runs in a network of its own, at the other end of a cable.
    ready, go = multiprocessing.Event(), multiprocessing.Event()
    service = multiprocessing.Process(target=serve, args=(ready, go))
    service.start()
    ready.wait()
    ip("link", "add", "metadata", "type", "veth", "peer", "name", "server", "netns", str(service.pid))
    ip("address", "add", f"{NEIGHBOR}/30", "dev", "metadata")
    ip("link", "set", "metadata", "up")
    go.set()
    service.join()


def serve(ready: Event, go: Event) -> None:
    # Debian 13's Python has these.
    os.unshare(os.CLONE_NEWNET)  # type: ignore[attr-defined]
    ready.set()
    go.wait()
    ip("address", "add", f"{ADDRESS}/30", "dev", "server")
    ip("link", "set", "server", "up")
    http.server.ThreadingHTTPServer((ADDRESS, 80), Metadata).serve_forever()


if __name__ == "__main__":
    main()
