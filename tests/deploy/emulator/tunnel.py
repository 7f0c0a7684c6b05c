"""A port on this machine's loopback interface that leads to another address."""

import socket
import socketserver
import threading


class Tunnel(socketserver.ThreadingTCPServer):
    """Docker's engine accepts a registry without TLS only at a loopback address, and the emulator listens where
    containers can reach it."""

    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.target = (host, port)
        self.port = self.server_address[1]
        self.address = f"127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Passing(socketserver.BaseRequestHandler):
    server: Tunnel

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as there:
            back = threading.Thread(target=passed, args=(there, self.request), daemon=True)
            back.start()
            passed(self.request, there)
            back.join()


def passed(source: socket.socket, target: socket.socket) -> None:
    """Forwards data until it ends, and then the end."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # One of the two has disconnected, so the other must not wait either.
        for end in (source, target):
            end.close()
