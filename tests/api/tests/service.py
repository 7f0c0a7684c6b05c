"""A service inside a sandbox that returns the request it got, and misbehaves on request."""

import http.server
import json
import time
from collections.abc import Iterable


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: http.server.HTTPServer

    def answer(self) -> None:
        path = self.path.split("?")[0]
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length).decode("latin-1")
        if path == "/large":
            self.give(200, [("Content-Type", "application/octet-stream")], bytes(3_000_000))
            return
        if path == "/too-large":
            self.give(200, [("Content-Type", "text/plain")], b"x" * 5_000_000)
            return
        if path == "/slow":
            time.sleep(60)
        if path == "/redirect":
            self.give(302, [("Location", f"http://localhost:{self.server.server_port}/there?x=1")], b"")
            return
        if path == "/rude":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Own: a\r\nSet-Cookie: groundcrew=stolen\r\nbroken header\r\n\r\n")
            self.close_connection = True
            return
        if path == "/cookies":
            own = [("Set-Cookie", "a=b"), ("Cache-Control", "public"), ("X-Own", "1"), ("Clear-Site-Data", '"*"')]
            self.give(404, own, b"not here")
            return
        told = {"method": self.command, "path": self.path, "headers": self.headers.items(), "body": body}
        self.give(200, [("Content-Type", "application/json")], json.dumps(told).encode())

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def give(self, status: int, headers: Iterable[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 8123), Service)
print("ser" + "ving", flush=True)
server.serve_forever()
