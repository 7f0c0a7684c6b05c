"""The part of Hetzner's API that hcloud.py uses: it creates, reads, changes and deletes resources of each kind.

It runs in a container next to the servers, because a sandbox cannot reach an address of this machine. Outside, ground.py
makes a container for each server that is requested here, and reports its address at `/made`. Over TLS, this program answers
every caller with the caller's address, as checkip.amazonaws.com does. Its arguments are the token for callers, the word for
ground.py, and the folder with the certificate and the file for sandboxes.
"""

import http.server
import json
import pathlib
import ssl
import sys
import threading

TOKEN, OWN, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
KINDS = ("ssh_key", "firewall", "server")
# Terraform sends no larger body, in bytes.
BODY = 1 << 20

lock = threading.Lock()
things = {}


class Refused(Exception):
    """The error for a caller: a status and a sentence."""


class Cloud(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self):
        try:
            length = int(self.headers.get("content-length") or 0)
            if length > BODY:
                raise Refused(413, "too large")
            given = json.loads(self.rfile.read(length) or b"{}")
            self.answer(*self.handle_call(given))
        except Refused as refused:
            status, why = refused.args
            self.answer(status, {"error": {"message": why}})

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def handle_call(self, given):
        if self.path == "/sandbox.tar":
            return 200, (FOLDER / "sandbox.tar").read_bytes(), "application/x-tar"
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        with lock:
            if self.path == "/wanted" and bearer == OWN:
                return 200, [thing for thing in things.values() if thing["kind"] == "server"]
            if self.path == "/made" and bearer == OWN:
                if str(given["id"]) in things:
                    things[str(given["id"])].update(given)
                return 200, {}
            if bearer != TOKEN:
                raise Refused(401, "unable to authenticate")
            return self.change(given)

    def change(self, given):
        _, kind, *rest = self.path.split("/")
        if kind not in KINDS:
            raise Refused(404, f"there are no resources of the kind {kind}")
        if self.command == "POST":
            if any(one["kind"] == kind and one.get("name") == given.get("name") for one in things.values()):
                raise Refused(409, f"{kind} name is already used (uniqueness_error)")
            number = str(4_000_000 + len(things))
            things[number] = {**given, "id": number, "kind": kind, "status": "initializing"}
            return 201, things[number]
        thing = things.get(rest[0] if rest else "")
        if not thing or thing["kind"] != kind or thing["status"] == "gone":
            raise Refused(404, f"{kind} does not exist")
        if self.command == "PUT":
            thing.update({name: value for name, value in given.items() if name not in ("id", "kind", "status")})
        if self.command == "DELETE":
            thing.update(status="gone", name=None)
        return 200, thing


class Address(Cloud):
    def handle_call(self, _):
        return 200, self.client_address[0].encode() + b"\n", "text/plain"


def main():
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(FOLDER / "certificate.pem", FOLDER / "key.pem")
    address = http.server.ThreadingHTTPServer(("", 443), Address)
    address.socket = tls.wrap_socket(address.socket, server_side=True)
    threading.Thread(target=address.serve_forever, daemon=True).start()
    http.server.ThreadingHTTPServer(("", 80), Cloud).serve_forever()


if __name__ == "__main__":
    main()
