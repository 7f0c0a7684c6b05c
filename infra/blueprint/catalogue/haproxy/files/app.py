#!/usr/bin/env python3
"""A small application that leaves without losing a request. Your own takes its place and does the same.

It answers at `/health`, where the balancer asks. When systemd asks it to end, it answers 503 there, goes on answering
everything else until the balancer has noticed, and ends when it has finished what it has begun.
"""

import http.server
import signal
import socket
import sys
import threading

PORT = 8080
# The balancer asks every second and notices after two bad answers, each of which may take two seconds.
LEAVING_SECONDS = 5

leaving = threading.Event()


class Answers(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def answer(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        healthy = self.path != "/health" or not leaving.is_set()
        text = f"Answered by {socket.gethostname()}\n" if healthy else "Leaving\n"
        self.send_response(200 if healthy else 503)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    # At the end, the program waits for all requests that it has begun.
    daemon_threads = False
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # A visitor may hang up at any time. That is not an error of this program.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def main():
    server = Server(("", PORT), Answers)

    def leave(*_):
        leaving.set()
        threading.Timer(LEAVING_SECONDS, server.shutdown).start()

    signal.signal(signal.SIGTERM, leave)
    server.serve_forever(poll_interval=0.1)
    server.server_close()


if __name__ == "__main__":
    main()
