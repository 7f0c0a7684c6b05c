"""The way to the services of the stand-in cloud by their names at AWS: who comes by a name of CloudFront's is a visitor
of a distribution, and who comes by one of S3's or by the name of CloudFront's API signs what is asked, or is anybody.

A sandbox finds no names of the Internet here, so its command line of AWS comes through a proxy (`Proxy`), which leads
every name to this cloud.
"""

import re
import shutil
import socket
import socketserver
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler
from typing import Any

from cdn import DOMAIN, Distributions
from s3 import Buckets, Caller, Refused, unwrapped
from signature import is_signed

BUCKET = re.compile(r"(?:(.+)\.)?s3(?:\.([\w-]+))?\.amazonaws\.com")
# The region of the name of S3 that has none.
GLOBAL = "us-east-1"
CLOUDFRONT = "cloudfront.amazonaws.com"
# How long a connection through the proxy may be silent, in seconds.
SILENCE = 60


def is_ours(host: str) -> bool:
    return host.endswith((f".{DOMAIN}", ".amazonaws.com")) and not host.startswith("checkip.")


class Front:
    def __init__(self, things: dict[str, dict[str, Any]], secret: str) -> None:
        self.secret, self.lock = secret, threading.Lock()
        self.buckets = Buckets(things)
        self.distributions = Distributions(things, self.buckets)

    def answer(
        self, secure: bool, host: str, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer. The names of `headers` are in lower case."""
        with self.lock:
            bucket = BUCKET.fullmatch(host)
            if not bucket and host != CLOUDFRONT:
                status, more, sent = self.distributions.serve(secure, host, method, target)
                return status, {"via": "1.1 cloudfront.net (CloudFront)", **more}, sent
            signed = "authorization" in headers
            if signed and not is_signed(self.secret, method, target, headers, body):
                code, why = "SignatureDoesNotMatch", "The request signature does not match."
                error = f"<Error><Code>{code}</Code><Message>{why}</Message></Error>"
                return 403, {"content-type": "application/xml"}, error.encode()
            if not bucket:
                if not signed:
                    return self.distributions.error(403, "MissingAuthenticationToken", "Missing Authentication Token")
                return self.distributions.handle_call(method, target, body)
            path, _, query = target.partition("?")
            name, key = bucket[1], urllib.parse.unquote(path.lstrip("/"))
            if not name:
                name, _, key = key.partition("/")
            try:
                body = unwrapped(body, headers)
            except (Refused, ValueError, UnboundLocalError) as error:
                return 400, {}, f"<Error><Code>IncompleteBody</Code><Message>{error}</Message></Error>".encode()
            caller = Caller("account" if signed else "anybody", secure=secure)
            return self.buckets.handle_call(caller, method, name, bucket[2] or GLOBAL, key, query, headers, body)


def read_body(handler: BaseHTTPRequestHandler) -> bytes:
    """The body of a request, whose length is in the header or in its frames."""
    if handler.headers.get("transfer-encoding", "").lower() != "chunked":
        return handler.rfile.read(int(handler.headers.get("content-length") or 0))
    body = b""
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body


def serve(front: Front, handler: BaseHTTPRequestHandler, secure: bool) -> None:
    """Answers a request that came for one of AWS's names."""
    host = handler.headers.get("host", "").partition(":")[0]
    headers = {name.lower(): value for name, value in handler.headers.items()}
    send(handler, *front.answer(secure, host, handler.command, handler.path, headers, read_body(handler)))


def send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], body: bytes) -> None:
    handler.send_response(status)
    for name, value in {**headers, "content-length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


class Proxy(socketserver.StreamRequestHandler):
    """Leads a connection for any name to the port of this cloud that was asked for."""

    def handle(self) -> None:
        asked = re.fullmatch(
            r"CONNECT [^ ]+:(\d+) HTTP/1\.[01]\r\n", self.rfile.readline(1024).decode(errors="replace")
        )
        while self.rfile.readline(8192).strip():
            pass
        if not asked or asked[1] not in ("80", "443"):
            self.wfile.write(b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n")
            return
        self.connection.settimeout(SILENCE)
        with socket.create_connection(("127.0.0.1", int(asked[1])), timeout=SILENCE) as other:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=self.pour, args=(other.makefile("rb", buffering=0), self.wfile), daemon=True)
            back.start()
            self.pour(self.rfile.raw if hasattr(self.rfile, "raw") else self.rfile, other.makefile("wb", buffering=0))
            try:
                other.shutdown(socket.SHUT_WR)
            except OSError:
                return
            back.join()

    def pour(self, one: Any, other: Any) -> None:
        try:
            shutil.copyfileobj(one, other, 1 << 16)
        except OSError:
            return  # One of the two has ended.


class ProxyServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
