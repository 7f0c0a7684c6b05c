"""The cloud behind hcloud.py and aws.py: it creates, reads, changes and deletes resources of each kind.

It runs in a container next to the servers, because a sandbox cannot reach an address of this machine. Outside,
ground.py makes a container for each server that is requested here, and reports its address at `/made`. Over TLS, this
program answers every caller with the caller's address, as checkip.amazonaws.com does, and AWS's names with their
services (front.py), and those of Let's Encrypt with certificates (acme.py). Its arguments are the token for callers,
the word for ground.py, the folder with the certificate and the file for sandboxes, and the names that lead to the first
server.
"""

import http.server
import ipaddress
import json
import pathlib
import ssl
import sys
import threading
import urllib.parse
from typing import Any

import acme
import front as fronts
import s3
from cdn import Invalid

TOKEN, OWN, FOLDER, NAMES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
KINDS = ("ssh_key", "firewall", "server", "network", "network_subnet", "server_network")
# What ground.py makes of a resource, which takes a moment.
MADE = ("server", "aws_instance", "server_network")
# The zones of Hetzner's networks.
ZONES = ("eu-central", "us-east", "us-west", "ap-southeast")
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
# The port of the proxy for sandboxes.
PROXY = 3128

lock = threading.Lock()
things: dict[str, dict[str, Any]] = {}
posted: list[dict[str, Any]] = []
front = fronts.Front(things, TOKEN)


def there(kind: str | None = None) -> list[dict[str, Any]]:
    """The resources that exist, all or those of a kind."""
    return [one for one in things.values() if one["status"] != "gone" and kind in (None, one["kind"])]


def leads(name: str) -> str | None:
    """The address of the server to which its owner has a name lead, or None."""
    servers = (one for one in things.values() if one["kind"] in (INSTANCE, "server") and one["status"] == "running")
    return next((one["ipv4_address"] for one in servers), None) if name in NAMES else None


authorities = {host: acme.Authority(host, FOLDER, leads) for host in acme.HOSTS}


def identified(kind: str, number: int, given: dict[str, Any]) -> dict[str, Any]:
    """The values that AWS gives a new resource."""
    short = kind.removeprefix(AWS)
    name = given.get("name") or given.get("key_name") or (given.get("bucket") if kind == "aws_s3_bucket" else None)
    if not name and (start := given.get("name_prefix") or given.get("key_name_prefix") or given.get("bucket_prefix")):
        name = f"{start}{number:026d}"
    own = name if short in ("key_pair", "s3_bucket") and name else f"{BEGINNINGS.get(short, short)}-{number:017x}"
    region = given.get("region") or "eu-central-1"
    values = {
        "id": own,
        "name": name,
        "key_name": name,
        "bucket": name,
        "region": region,
        "arn": f"arn:aws:{short}:{region}:123456789012:{own}",
        "availability_zone": f"{region}a",
    }
    if kind == "aws_s3_bucket":
        values.update(
            arn=f"arn:aws:s3:::{own}",
            bucket_regional_domain_name=f"{own}.s3.{region}.amazonaws.com",
            bucket_domain_name=f"{own}.s3.amazonaws.com",
        )
    if kind == "aws_cloudfront_distribution":
        values.update(front.distributions.values(number))
    return values


def instance(given: dict[str, Any]) -> dict[str, Any]:
    """What an instance has as a server: its name, the login of Debian's image with the key pair and without passwords,
    and what its security groups let in."""
    keys = [one for one in things.values() if one["kind"] == "aws_key_pair" and one["id"] == given.get("key_name")]
    login = {
        "name": "admin",
        "shell": "/bin/bash",
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
        "ssh_authorized_keys": [one["public_key"] for one in keys],
    }
    options = (given.get("metadata_options") or [{}])[0]
    first_boot = json.dumps({"users": [login], "ssh_pwauth": False, "disable_root": True})
    own = given.get("user_data") or f"#cloud-config\n{first_boot}"
    groups = given.get("vpc_security_group_ids") or []
    let_in = [
        {name: one.get(name) for name in ("ip_protocol", "from_port", "to_port", "cidr_ipv4")}
        for one in there("aws_vpc_security_group_ingress_rule")
        if one["security_group_id"] in groups
    ]
    return {
        "name": (given.get("tags") or {}).get("Name") or "instance",
        "user_data": own,
        "let_in": let_in,
        "metadata": "required" if options.get("http_tokens") == "required" else "optional",
    }


def networked(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """What a network of Hetzner's has, after it was checked."""

    def known(wanted: str, number: object) -> dict[str, Any]:
        thing = things.get(str(number))
        if not thing or thing["kind"] != wanted or thing["status"] == "gone":
            raise Refused(404, f"{wanted} {number} not found")
        return thing

    try:
        if kind == "network" and not ipaddress.ip_network(given["ip_range"]).is_private:
            raise Refused(400, "invalid input in field 'ip_range': it is not a private range")
        if kind == "network_subnet":
            own = ipaddress.ip_network(given["ip_range"])
            network = ipaddress.ip_network(known("network", given["network_id"])["ip_range"])
            # The types do not know that both now have the same version.
            if own.version != network.version or not own.subnet_of(network):  # type: ignore[arg-type]
                raise Refused(400, "invalid input in field 'ip_range': it does not lie in the network")
            if given["network_zone"] not in ZONES or given["type"] not in ("cloud", "server", "vswitch"):
                raise Refused(400, "invalid input in field 'network_zone' or 'type'")
            return {"id": f"{given['network_id']}-{own}", "gateway": str(own[1])}
        if kind == "server_network":
            subnet = known("network_subnet", given["subnet_id"])
            known("server", given["server_id"])
            address = ipaddress.ip_address(given["ip"])
            if address not in list(ipaddress.ip_network(subnet["ip_range"]).hosts())[1:]:
                raise Refused(400, f"IP {address} is not available")
            if any(one["ip"] == given["ip"] for one in there(kind)):
                raise Refused(409, f"IP {address} is already in use")
            return {"network_id": subnet["network_id"], "range": subnet["ip_range"], "mac_address": "86:00:00:00:00:01"}
    except (ValueError, KeyError) as error:
        raise Refused(400, f"invalid input: {error}") from error
    return {}


class Refused(Exception):
    """The error for a caller: a status and a sentence."""


class Cloud(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, status: int, body: Any, kind: str = "application/json") -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self) -> None:
        if fronts.is_ours(self.headers.get("host", "")):
            fronts.serve(front, self, secure=isinstance(self.connection, ssl.SSLSocket))
            return
        try:
            length = int(self.headers.get("content-length") or 0)
            if length > BODY:
                raise Refused(413, "too large")
            given = json.loads(self.rfile.read(length) or b"{}")
            self.answer(*self.handle_call(given))
        except Refused as refused:
            status, why = refused.args
            self.answer(status, {"error": {"message": why}})

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = serve

    def handle_call(self, given: dict[str, Any]) -> Any:
        if self.path == "/alerts":
            # A webhook, which keeps what is posted to it.
            if self.command == "POST":
                posted.append(given)
            return 200, posted
        if self.path == "/sites":
            # The sites for who looks from outside: each distribution's name, and the name of its bucket.
            sites = [
                f"{one['domain_name']} {one['origin'][0]['domain_name']}\n"
                for one in front.distributions.all("distribution")
            ]
            return 200, "".join(sites).encode(), "text/plain"
        if self.path.startswith("/resources/"):
            # The resources of a kind for who looks from outside, one a line.
            lines = [json.dumps(one, sort_keys=True) + "\n" for one in there(self.path.removeprefix("/resources/"))]
            return 200, "".join(lines).encode(), "text/plain"
        if self.path.startswith("/names/"):
            address = leads(self.path.removeprefix("/names/"))
            return (200, address.encode(), "text/plain") if address else (404, b"", "text/plain")
        if self.path == "/sandbox.tar":
            return 200, (FOLDER / "sandbox.tar").read_bytes(), "application/x-tar"
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        with lock:
            if self.path == "/wanted" and bearer == OWN:
                return 200, [thing for thing in things.values() if thing["kind"] in MADE]
            if self.path == "/left" and bearer == OWN:
                return 200, [f"{one['kind']} {one.get('name') or one['id']}" for one in there()]
            if self.path == "/made" and bearer == OWN:
                if str(given["id"]) in things:
                    address = given.get("ipv4_address")
                    things[str(given["id"])].update(given, public_ip=address, private_ip=address)
                return 200, {}
            if bearer != TOKEN:
                raise Refused(401, "unable to authenticate")
            return self.change(given)

    def change(self, given: dict[str, Any]) -> tuple[int, Any]:
        _, kind, *rest = map(urllib.parse.unquote, self.path.split("/"))
        aws = kind.startswith(AWS)
        if kind not in KINDS and not aws:
            raise Refused(404, f"there are no resources of the kind {kind}")
        if self.command == "POST":
            named = not aws and given.get("name")
            if named and any(one["kind"] == kind and one.get("name") == given["name"] for one in things.values()):
                raise Refused(409, f"{kind} name is already used (uniqueness_error)")
            number = 4_000_000 + len(things)
            known = {name: value for name, value in given.items() if value is not None}
            self.check(kind, known)
            thing = (
                {**identified(kind, number, known), **known}
                if aws
                else (
                    {
                        "id": str(number),
                        **networked(kind, given),
                        **{name: value for name, value in given.items() if name != "id"},
                    }
                )
            )
            thing.update(instance(known) if kind == INSTANCE else {})
            thing.update(kind=kind, status="initializing" if kind in MADE else "there")
            things[thing["id"]] = thing
            return 201, thing
        thing = things.get(rest[0] if rest else "", {})
        if not thing or thing["kind"] != kind or thing["status"] == "gone":
            raise Refused(404, f"{kind} does not exist")
        if self.command == "PUT":
            self.check(kind, {**thing, **given})
            thing.update({name: value for name, value in given.items() if name not in ("id", "kind", "status")})
        if self.command == "DELETE":
            if kind == "aws_s3_bucket" and not thing.get("force_destroy") and not front.buckets.is_empty(thing["id"]):
                raise Refused(
                    409, "BucketNotEmpty: The bucket you tried to delete is not empty. You must delete all versions."
                )
            if kind.startswith("aws_cloudfront_") and (users := front.distributions.users(thing)):
                raise Refused(409, f"{kind} is in use by {', '.join(users)}")
            thing.update(status="gone", name=None)
        return 200, thing

    def check(self, kind: str, given: dict[str, Any]) -> None:
        """Refuses what AWS would refuse of the resources behind which there is a service here."""
        try:
            front.distributions.check(kind, given)
            if kind == "aws_s3_bucket_policy":
                front.buckets.check_policy(given)
        except Invalid as why:
            raise Refused(400, str(why)) from why
        except s3.Refused as why:
            status, code, sentence = why.args
            raise Refused(status, f"{code}: {sentence}") from why


class Address(Cloud):
    def serve(self) -> None:
        if authority := authorities.get(self.headers.get("host", "")):
            status, headers, body = authority.answer(self.command, self.path, fronts.read_body(self))
            fronts.send(self, status, headers, body)
        else:
            super().serve()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = serve

    def handle_call(self, _: object) -> Any:
        if self.headers.get("host") == "github.com":
            # The release of k3s, which ground.py puts into the folder.
            file = FOLDER / "release" / pathlib.PurePosixPath(urllib.parse.unquote(self.path)).relative_to("/")
            if not file.is_file() or ".." in file.parts:
                return 404, b"Not Found", "text/plain"
            return 200, file.read_bytes(), "application/octet-stream"
        return 200, self.client_address[0].encode() + b"\n", "text/plain"


def main() -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(FOLDER / "certificate.pem", FOLDER / "key.pem")
    address = http.server.ThreadingHTTPServer(("", 443), Address)
    address.socket = tls.wrap_socket(address.socket, server_side=True)
    proxy = fronts.ProxyServer(("", PROXY), fronts.Proxy)
    for server in (address, proxy):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    http.server.ThreadingHTTPServer(("", 80), Cloud).serve_forever()


if __name__ == "__main__":
    main()
