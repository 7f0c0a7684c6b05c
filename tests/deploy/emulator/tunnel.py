"""A port of this machine's loopback that leads to another address."""

import socket
import socketserver
import threading


class Tunnel(socketserver.ThreadingTCPServer):
    """Docker's engine takes a registry without TLS at a loopback address alone, and the emulator listens where containers
    reach it."""

    daemon_threads = True

    def __init__(self, host, port):
        super().__init__(("127.0.0.1", 0), Passing)
        self.target = (host, port)
        self.address = "127.0.0.1:%d" % self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Passing(socketserver.BaseRequestHandler):
    def handle(self):
        with socket.create_connection(self.server.target) as there:
            back = threading.Thread(target=passed, args=(there, self.request), daemon=True)
            back.start()
            passed(self.request, there)
            back.join()


def passed(source, target):
    """Passes on what comes until it ends, and then that it has ended."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # One of the two is gone, so the other hears no more either.
        for end in (source, target):
            end.close()
