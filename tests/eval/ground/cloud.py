"""The cloud behind hcloud.py and aws.py: it creates, reads, changes and deletes resources of each kind.

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
# AWS's kinds begin with this, and its servers are instances.
AWS, INSTANCE = "aws_", "aws_instance"
# How AWS's identifiers of a kind begin, where it is not the kind's name.
BEGINNINGS = {
    "instance": "i",
    "internet_gateway": "igw",
    "route_table": "rtb",
    "route_table_association": "rtbassoc",
    "security_group": "sg",
    "vpc_security_group_egress_rule": "sgr",
    "vpc_security_group_ingress_rule": "sgr",
}
# Terraform sends no larger body, in bytes.
BODY = 1 << 20

lock = threading.Lock()
things = {}
posted = []


def identified(kind, number, given):
    """The values that AWS gives a new resource."""
    short = kind.removeprefix(AWS)
    name = given.get("name") or given.get("key_name")
    if not name and (start := given.get("name_prefix") or given.get("key_name_prefix") or given.get("bucket_prefix")):
        name = f"{start}{number:026d}"
    own = name if short in ("key_pair", "s3_bucket") and name else f"{BEGINNINGS.get(short, short)}-{number:017x}"
    region = given.get("region") or "eu-central-1"
    return {"id": own, "name": name, "key_name": name, "bucket": name, "region": region,
            "arn": f"arn:aws:{short}:{region}:123456789012:{own}", "availability_zone": f"{region}a"}


def instance(given):
    """What an instance has as a server: its name, the login of Debian's image with the key pair and without passwords, and
    what its security groups let in."""
    keys = [one for one in things.values() if one["kind"] == "aws_key_pair" and one["id"] == given.get("key_name")]
    login = {"name": "admin", "shell": "/bin/bash", "sudo": "ALL=(ALL) NOPASSWD:ALL",
             "ssh_authorized_keys": [one["public_key"] for one in keys]}
    options = (given.get("metadata_options") or [{}])[0]
    first_boot = json.dumps({"users": [login], "ssh_pwauth": False, "disable_root": True})
    own = given.get("user_data") or f"#cloud-config\n{first_boot}"
    groups = given.get("vpc_security_group_ids") or []
    rules = [one for one in things.values() if one["kind"] == "aws_vpc_security_group_ingress_rule"]
    let_in = [{name: one.get(name) for name in ("ip_protocol", "from_port", "to_port", "cidr_ipv4")}
              for one in rules if one["security_group_id"] in groups and one["status"] != "gone"]
    return {"name": (given.get("tags") or {}).get("Name") or "instance", "user_data": own, "let_in": let_in,
            "metadata": "required" if options.get("http_tokens") == "required" else "optional"}


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
        if self.path == "/alerts":
            # A webhook, which keeps what is posted to it.
            if self.command == "POST":
                posted.append(given)
            return 200, posted
        if self.path == "/sandbox.tar":
            return 200, (FOLDER / "sandbox.tar").read_bytes(), "application/x-tar"
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        with lock:
            if self.path == "/wanted" and bearer == OWN:
                return 200, [thing for thing in things.values() if thing["kind"] in ("server", INSTANCE)]
            if self.path == "/made" and bearer == OWN:
                if str(given["id"]) in things:
                    address = given.get("ipv4_address")
                    things[str(given["id"])].update(given, public_ip=address, private_ip=address)
                return 200, {}
            if bearer != TOKEN:
                raise Refused(401, "unable to authenticate")
            return self.change(given)

    def change(self, given):
        _, kind, *rest = self.path.split("/")
        aws = kind.startswith(AWS)
        if kind not in KINDS and not aws:
            raise Refused(404, f"there are no resources of the kind {kind}")
        if self.command == "POST":
            if not aws and any(one["kind"] == kind and one.get("name") == given.get("name") for one in things.values()):
                raise Refused(409, f"{kind} name is already used (uniqueness_error)")
            number = 4_000_000 + len(things)
            known = {name: value for name, value in given.items() if value is not None}
            thing = {**identified(kind, number, known), **known} if aws else {**given, "id": str(number)}
            thing.update(instance(known) if kind == INSTANCE else {})
            thing.update(kind=kind, status="initializing" if kind in ("server", INSTANCE) else "there")
            things[thing["id"]] = thing
            return 201, thing
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
