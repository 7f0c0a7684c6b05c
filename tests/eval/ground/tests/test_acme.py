"""Checks that the stand-in for Let's Encrypt certifies those who answer its challenge, and refuses all others."""

import contextlib
import http.server
import json
import pathlib
import sys
import tempfile
import threading
import unittest
from typing import Any

from running import GROUND

sys.path.insert(0, str(GROUND))
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

import acme

HOST, NAME = acme.HOSTS[0], "shop.example.org"


def number_as_text(number: int) -> str:
    return acme.encoded(number.to_bytes((number.bit_length() + 7) // 8))


def refused(answer: tuple[int, dict[str, str], Any]) -> tuple[int, str]:
    """The status and the kind of an error."""
    return answer[0], answer[2]["type"].rpartition(":")[2]


class Person:
    """Who asks for a certificate, with a key of their own, as certbot does."""

    def __init__(self, authority: acme.Authority) -> None:
        self.authority, self.own = authority, rsa.generate_private_key(65537, 2048)
        self.account: str | None = None
        numbers = self.own.public_key().public_numbers()
        self.key = {"kty": "RSA", "n": number_as_text(numbers.n), "e": number_as_text(numbers.e)}

    def nonce(self) -> str:
        return self.authority.answer("HEAD", "/new-nonce", b"")[1]["replay-nonce"]

    def post(self, path: str, payload: Any = None, **changed: object) -> tuple[int, dict[str, str], Any]:
        head: dict[str, Any] = {"alg": "RS256", "nonce": self.nonce(), "url": f"https://{HOST}{path}"}
        head.update({"kid": self.account} if self.account else {"jwk": self.key})
        protected = acme.encoded(json.dumps({**head, **changed}).encode())
        body = "" if payload is None else acme.encoded(json.dumps(payload).encode())
        signature = self.own.sign(f"{protected}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
        sent = json.dumps({"protected": protected, "payload": body, "signature": acme.encoded(signature)}).encode()
        status, headers, said = self.authority.answer("POST", path, sent)
        return status, headers, said if headers["content-type"].endswith("chain") else json.loads(said)

    def signs_up(self) -> "Person":
        status, headers, _ = self.post("/new-account", {"termsOfServiceAgreed": True})
        assert status == 201, status
        self.account = headers["location"]
        return self

    def orders(self, *names: str) -> tuple[int, dict[str, str], Any]:
        return self.post("/new-order", {"identifiers": [{"type": "dns", "value": name} for name in names]})

    def request(self, *names: str) -> dict[str, str]:
        own = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([]))
        own = own.add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
        signed = own.sign(ec.generate_private_key(ec.SECP256R1()), hashes.SHA256())
        return {"csr": acme.encoded(signed.public_bytes(serialization.Encoding.DER))}


class Certificates(unittest.TestCase):
    def setUp(self) -> None:
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            acme.make(folder)
            self.asked: list[tuple[str, str]] = []
            self.answers: dict[str, str] = {}
            test = self

            class Site(http.server.BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    test.asked.append((self.headers["host"], self.path))
                    said = test.answers.get(self.path.rpartition("/")[2])
                    self.send_response(200 if said else 404)
                    self.end_headers()
                    self.wfile.write((said or "").encode())

                def log_message(self, *_: object) -> None:
                    pass

            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            find = {NAME: "127.0.0.1"}.get
            self.authority = acme.Authority(HOST, folder, find, server.server_address[1])
            self.root = x509.load_pem_x509_certificate((folder / "authority.pem").read_bytes())
            self.addCleanup(stack.pop_all().close)

    def challenged(self, person: Person, *names: str) -> tuple[str, list[dict[str, Any]]]:
        """Orders, and has each challenge asked; returns the order's address and the outcome of each challenge."""
        _, headers, order = person.orders(*names)
        seen = []
        for address in order["authorizations"]:
            challenge = person.post(address.removeprefix(f"https://{HOST}"))[2]["challenges"][0]
            self.answers.setdefault(challenge["token"], f"{challenge['token']}.{acme.thumbprint(person.key)}")
            seen.append(person.post(challenge["url"].removeprefix(f"https://{HOST}"), {})[2])
        return headers["location"].removeprefix(f"https://{HOST}"), seen

    def test_who_answers_the_challenge_gets_a_certificate_for_the_name(self) -> None:
        person = Person(self.authority).signs_up()
        order, seen = self.challenged(person, NAME)
        self.assertEqual([one["status"] for one in seen], ["valid"])
        self.assertEqual(self.asked, [(NAME, f"/.well-known/acme-challenge/{seen[0]['token']}")])
        status, _, said = person.post(f"{order}/finalize", person.request(NAME))
        self.assertEqual((status, said["status"]), (200, "valid"))
        _, _, chain = person.post(said["certificate"].removeprefix(f"https://{HOST}"))
        own, root = x509.load_pem_x509_certificates(chain)
        own.verify_directly_issued_by(root)
        self.assertEqual(root, self.root)
        names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        self.assertEqual(names.get_values_for_type(x509.DNSName), [NAME])

    def test_a_name_without_the_right_answer_is_not_certified(self) -> None:
        person = Person(self.authority).signs_up()
        order, seen = self.challenged(person, "elsewhere.example.org")
        self.assertIn("no A record", seen[0]["error"]["detail"])
        self.assertEqual(
            person.post(f"{order}/finalize", person.request("elsewhere.example.org"))[2]["type"][-13:], "orderNotReady"
        )
        other = Person(self.authority).signs_up()
        _, _, ordered = other.orders(NAME)
        token = other.post(ordered["authorizations"][0].removeprefix(f"https://{HOST}"))[2]["challenges"][0]["token"]
        for wrong in (f"{token}.{acme.thumbprint(person.key)}", token):
            self.answers = {token: wrong}
            _, _, seen = other.post(f"/challenge/{ordered['finalize'].split('/')[-2]}/0", {})
            self.assertEqual(seen["status"], "invalid")

    def test_a_request_for_other_names_is_refused(self) -> None:
        person = Person(self.authority).signs_up()
        order, _ = self.challenged(person, NAME)
        for request in (person.request(NAME, "more.example.org"), person.request(), {"csr": "AAAA"}, {}):
            _, _, said = person.post(f"{order}/finalize", request)
            self.assertEqual(said["type"].rpartition(":")[2], "badCSR", said)
        self.assertEqual(person.orders(f"*.{NAME}")[2]["type"].rpartition(":")[2], "rejectedIdentifier")

    def test_only_the_account_s_own_signed_requests_count(self) -> None:
        person, other = Person(self.authority).signs_up(), Person(self.authority).signs_up()
        order, _ = self.challenged(person, NAME)
        self.assertEqual(refused(other.post(order)), (404, "malformed"))
        used = person.nonce()
        self.assertEqual(person.post(order, nonce=used)[0], 200)
        self.assertEqual(refused(person.post(order, nonce=used)), (400, "badNonce"))
        self.assertEqual(refused(person.post(order, url="https://elsewhere.example/")), (403, "unauthorized"))
        self.assertEqual(refused(person.post(order, alg="HS256")), (400, "badSignatureAlgorithm"))
        other.account = person.account
        self.assertEqual(refused(other.post(order)), (403, "unauthorized"))
        self.assertEqual(refused(Person(self.authority).post("/new-account", {})), (403, "userActionRequired"))
        for body in (b"", b"[]", b'{"protected": "e30", "payload": "", "signature": ""}'):
            self.assertEqual(self.authority.answer("POST", "/new-order", body)[0], 400)


if __name__ == "__main__":
    unittest.main()
