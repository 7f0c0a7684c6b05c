#!/usr/bin/env python3
"""A small application that loses no request when it is replaced. Your own takes its place and does the same.

It takes its connections from systemd, says at `/health` which release it is, and finishes what it has begun when it is
asked to end. Connections that come meanwhile wait in the socket, for the next release.
"""

import http.server
import json
import os
import pathlib
import signal
import socket
import threading

# The first file descriptor that systemd hands on.
LISTENING = 3
# The folder's name is that of the release.
RELEASE = pathlib.Path(__file__).resolve().parent.name


class Answers(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def answer(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path == "/health":
            kind, text = "application/json", json.dumps({"status": "ok", "release": RELEASE})
        else:
            kind, text = "text/plain; charset=utf-8", f"Release {RELEASE}"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text) + 1))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(f"{text}\n".encode())

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    # At the end, the program waits for all requests that it has begun.
    daemon_threads = False


def main():
    if os.environ.get("LISTEN_FDS") != "1":
        raise SystemExit("this program takes its connections from systemd: start it as app.service")
    server = Server(("", 0), Answers, bind_and_activate=False)
    server.socket.close()
    server.socket = socket.socket(fileno=LISTENING)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    server.serve_forever(poll_interval=0.1)
    server.server_close()


if __name__ == "__main__":
    main()
