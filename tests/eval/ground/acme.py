"""A stand-in for Let's Encrypt: the part of ACME (RFC 8555) by which certbot gets a certificate over HTTP.

It looks a name up, asks the server behind it for the answer to its challenge on port 80, as Let's Encrypt does, and
signs with an authority of its own. Requests must be signed by an account with an RSA key, as certbot's are, and each
uses up a nonce. There are no limits of requests, no other challenges and no revocation.
"""

import base64
import hashlib
import http.client
import json
import pathlib
import re
import secrets
import subprocess
import tempfile
import threading
from collections.abc import Callable
from typing import Any

# The names of Let's Encrypt: the one that issues, and the one that certbot's trial of a renewal asks.
HOSTS = ("acme-v02.api.letsencrypt.org", "acme-staging-v02.api.letsencrypt.org")
# For how many days a certificate is valid, as long as one of Let's Encrypt.
DAYS = 90
# How long a server may take to answer a challenge, in seconds.
PATIENCE = 10
# The largest answer to a challenge that is read, in bytes.
ANSWER = 1024
# What the digest of a signature begins with (RFC 8017, 9.2).
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")
# What a call returns: the status, the headers and the body, as bytes or for JSON.
Answer = tuple[int, dict[str, str], Any]


class Problem(Exception):
    """An error of ACME: a status, the kind and a sentence."""


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def thumbprint(key: dict[str, str]) -> str:
    """RFC 7638."""
    needed = {name: key[name] for name in ("e", "kty", "n")}
    return encoded(hashlib.sha256(json.dumps(needed, sort_keys=True, separators=(",", ":")).encode()).digest())


def is_signed(key: dict[str, str], text: bytes, signature: bytes) -> bool:
    """Whether an RSA key signed the text (RS256)."""
    modulus, exponent = (int.from_bytes(decoded(key[name])) for name in ("n", "e"))
    size = (modulus.bit_length() + 7) // 8
    end = SHA256 + hashlib.sha256(text).digest()
    whole = b"\0\1" + b"\xff" * (size - len(end) - 3) + b"\0" + end
    return pow(int.from_bytes(signature), exponent, modulus).to_bytes(size) == whole


def make(folder: pathlib.Path) -> None:
    """Makes the key and the certificate of the authority."""
    command = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days {DAYS}".split()
    files = ["-keyout", f"{folder}/authority-key.pem", "-out", f"{folder}/authority.pem"]
    subprocess.run(
        [*command, "-subj", "/O=Stand-in for Let's Encrypt/CN=Ground", *files],
        check=True,
        capture_output=True,
    )


class Authority:
    """One of Let's Encrypt's two services. `find` returns the address of a name's server, or None."""

    def __init__(self, host: str, folder: pathlib.Path, find: Callable[[str], str | None], port: int = 80) -> None:
        self.host, self.folder, self.find, self.port = host, folder, find, port
        self.lock = threading.Lock()
        self.nonces: set[str] = set()
        self.keys: list[dict[str, str]] = []
        self.orders: list[dict[str, Any]] = []

    def url(self, *parts: object) -> str:
        return "/".join([f"https://{self.host}", *map(str, parts)])

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer."""
        try:
            with self.lock:
                status, headers, said = self.handle_call(method, path.strip("/").split("/"), body)
        except Problem as problem:
            status, kind, sentence = problem.args
            headers = {"content-type": "application/problem+json"}
            said = {"type": f"urn:ietf:params:acme:error:{kind}", "detail": sentence, "status": status}
        nonce = secrets.token_urlsafe(16)
        self.nonces.add(nonce)
        headers = {"content-type": "application/json", "cache-control": "no-store", "replay-nonce": nonce, **headers}
        return status, headers, said if isinstance(said, bytes) else json.dumps(said).encode()

    def handle_call(self, method: str, path: list[str], body: bytes) -> Answer:
        match method, path:
            case "GET", ["directory"]:
                calls = {
                    "newNonce": "new-nonce",
                    "newAccount": "new-account",
                    "newOrder": "new-order",
                    "revokeCert": "revoke",
                    "keyChange": "key-change",
                }
                directory = {name: self.url(call) for name, call in calls.items()}
                return 200, {}, {**directory, "meta": {"termsOfService": self.url("terms")}}
            case "GET" | "HEAD", ["new-nonce"]:
                return 200 if method == "HEAD" else 204, {}, b""
            case "POST", ["new-account"]:
                return self.account(*self.signed(path, body, known=False))
        if method != "POST":
            raise Problem(405, "malformed", "only POST")
        owner, given = self.signed(path, body)
        match path:
            case ["new-order"]:
                return self.order(owner, given)
            case ["order" | "authorization" | "challenge" | "certificate" as kind, number, *rest] if number.isdigit():
                order = next(
                    (one for one in self.orders if one["number"] == int(number) and one["owner"] == owner), None
                )
                if order:
                    return self.about(order, kind, rest, given)
        raise Problem(404, "malformed", f"there is no {'/'.join(path)}")

    def signed(self, path: list[str], body: bytes, known: bool = True) -> tuple[Any, dict[str, Any] | None]:
        """Who signed a request, and what it says: the number of an account, or the key of a new one."""
        try:
            outer = json.loads(body)
            head = json.loads(decoded(outer["protected"]))
            text = f"{outer['protected']}.{outer['payload']}".encode()
            signature, payload = decoded(outer["signature"]), decoded(outer["payload"])
            if known:
                who = int(str(head["kid"]).removeprefix(self.url("account") + "/"))
                key = self.keys[who]
            else:
                who = key = head["jwk"]
            if head["alg"] != "RS256" or key["kty"] != "RSA":
                raise Problem(400, "badSignatureAlgorithm", "only RS256")
            right = is_signed(key, text, signature)
            given = json.loads(payload) if payload else None
        except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
            raise Problem(400, "malformed", f"no signed request: {error!r}") from error
        if head.get("nonce") not in self.nonces:
            raise Problem(400, "badNonce", "this nonce is not known, or was used")
        self.nonces.remove(head["nonce"])
        if not right:
            raise Problem(403, "unauthorized", "the signature is wrong")
        if head.get("url") != self.url(*path):
            raise Problem(403, "unauthorized", f"the request was signed for {head.get('url')}")
        return who, given

    def account(self, key: dict[str, str], given: dict[str, Any] | None) -> Answer:
        status = 200
        if key not in self.keys:
            if (given or {}).get("onlyReturnExisting"):
                raise Problem(400, "accountDoesNotExist", "there is no account with this key")
            if not (given or {}).get("termsOfServiceAgreed"):
                raise Problem(403, "userActionRequired", "the terms of service were not agreed to")
            self.keys.append(key)
            status = 201
        return status, {"location": self.url("account", self.keys.index(key))}, {"status": "valid"}

    def order(self, owner: int, given: dict[str, Any] | None) -> Answer:
        asked = (given or {}).get("identifiers", [])
        names = [one.get("value", "") for one in asked if one.get("type") == "dns"]
        if not names or len(names) != len(asked):
            raise Problem(400, "unsupportedIdentifier", "an order takes names")
        if any(name.startswith("*.") for name in names):
            raise Problem(
                400, "rejectedIdentifier", "names with a wildcard take a challenge by DNS, which there is not"
            )
        order = {
            "number": len(self.orders),
            "owner": owner,
            "names": names,
            "tokens": [secrets.token_urlsafe(32) for _ in names],
            "states": ["pending"] * len(names),
            "errors": [None] * len(names),
            "certificate": None,
        }
        self.orders.append(order)
        return 201, {"location": self.url("order", order["number"])}, self.seen(order)

    def seen(self, order: dict[str, Any]) -> dict[str, Any]:
        number, states = order["number"], order["states"]
        open_state = "invalid" if "invalid" in states else "ready" if set(states) == {"valid"} else "pending"
        said = {
            "status": "valid" if order["certificate"] else open_state,
            "identifiers": [{"type": "dns", "value": name} for name in order["names"]],
            "authorizations": [self.url("authorization", number, place) for place in range(len(states))],
            "finalize": self.url("order", number, "finalize"),
        }
        return {**said, "certificate": self.url("certificate", number)} if order["certificate"] else said

    def about(self, order: dict[str, Any], kind: str, rest: list[str], given: dict[str, Any] | None) -> Answer:
        place = int(rest[0]) if rest and rest[0].isdigit() else 0
        if place >= len(order["names"]):
            raise Problem(404, "malformed", "there is no such name")
        match kind, rest:
            case "order", []:
                return 200, {}, self.seen(order)
            case "order", ["finalize"]:
                self.finalize(order, given)
                return 200, {"location": self.url("order", order["number"])}, self.seen(order)
            case "authorization", [_]:
                return (
                    200,
                    {},
                    {
                        "status": order["states"][place],
                        "identifier": {"type": "dns", "value": order["names"][place]},
                        "challenges": [self.challenge(order, place)],
                    },
                )
            case "challenge", [_]:
                if given is not None and order["states"][place] == "pending":
                    self.ask(order, place)
                up = f'<{self.url("authorization", order["number"], place)}>;rel="up"'
                return 200, {"link": up}, self.challenge(order, place)
            case "certificate", [] if order["certificate"]:
                return 200, {"content-type": "application/pem-certificate-chain"}, order["certificate"]
        raise Problem(404, "malformed", "there is no such object")

    def challenge(self, order: dict[str, Any], place: int) -> dict[str, Any]:
        said = {
            "type": "http-01",
            "url": self.url("challenge", order["number"], place),
            "token": order["tokens"][place],
            "status": order["states"][place],
        }
        return {**said, "error": order["errors"][place]} if order["errors"][place] else said

    def ask(self, order: dict[str, Any], place: int) -> None:
        """Asks the server behind a name for the answer to its challenge."""
        name, token = order["names"][place], order["tokens"][place]
        kind, why = "dns", f"no A record of {name}"
        if address := self.find(name):
            kind, why = "connection", ""
            connection = http.client.HTTPConnection(address, self.port, timeout=PATIENCE)
            try:
                connection.request("GET", f"/.well-known/acme-challenge/{token}", headers={"host": name})
                answer = connection.getresponse()
                said = answer.read(ANSWER).decode(errors="replace").rstrip()
                if answer.status != 200 or said != f"{token}.{thumbprint(self.keys[order['owner']])}":
                    kind, why = (
                        "unauthorized",
                        f"{address} answered {answer.status} and not with the authorization of the key",
                    )
            except (OSError, http.client.HTTPException) as error:
                why = f"{address}: {error}"
            finally:
                connection.close()
        order["states"][place] = "invalid" if why else "valid"
        order["errors"][place] = (
            {"type": f"urn:ietf:params:acme:error:{kind}", "detail": why, "status": 403} if why else None
        )

    def finalize(self, order: dict[str, Any], given: dict[str, Any] | None) -> None:
        if set(order["states"]) != {"valid"}:
            raise Problem(403, "orderNotReady", "the names are not proved")
        with tempfile.TemporaryDirectory() as temporary:
            request = pathlib.Path(temporary) / "request.der"
            try:
                request.write_bytes(decoded((given or {})["csr"]))
                own = ["-in", str(request), "-inform", "DER"]
                verify = ["openssl", "req", *own, "-noout", "-verify", "-text"]
                read = subprocess.run(verify, check=True, capture_output=True, text=True)
                if set(re.findall(r"DNS:([^,\s]+)", read.stdout)) != set(order["names"]):
                    raise Problem(403, "badCSR", "the request is for other names")
                sign = f"openssl x509 -req -days {DAYS} -copy_extensions copy".split()
                signer = ["-CA", f"{self.folder}/authority.pem", "-CAkey", f"{self.folder}/authority-key.pem"]
                signed = subprocess.run(
                    [*sign, *own, *signer],
                    check=True,
                    capture_output=True,
                )
            except (KeyError, TypeError, ValueError, subprocess.CalledProcessError) as error:
                raise Problem(400, "badCSR", f"not a request for a certificate: {error}") from error
        order["certificate"] = signed.stdout + (self.folder / "authority.pem").read_bytes()
