"""Runs the catalogue's setup of the log stack against the stand-in for Elasticsearch: its certificates, logins and
retention."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

from test_elastic import CATALOGUE, GROUND, PASSWORD

import client
import elasticsearch

# The users of the three images that read the certificates: the number of each and its groups, the first one being its
# own.
USERS = {"elasticsearch": (1000, (0,)), "kibana": (1000, (1000, 0)), "logstash": (1000, (1000,))}
# How long the setup may take, in seconds.
PATIENCE = 60


class Setup(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.folder.chmod(0o755)
        for name in ("config/certs", "data", "bin"):
            (self.folder / name).mkdir(parents=True)
        programs = {
            "elasticsearch-certutil": f'{GROUND}/images/elastic/certutil.py "$@"',
            "unzip": '-m zipfile -e "$2" "$4"',
        }
        for name, words in programs.items():
            (self.folder / "bin" / name).write_text(f"#!/bin/sh\nexec {sys.executable} {words}\n")
            (self.folder / "bin" / name).chmod(0o755)
        # Only the places differ: this machine has no container, and the port is a free one.
        text = (CATALOGUE / "setup.sh").read_text().replace("/tmp/", f"{self.folder}/")
        self.text = text.replace("/usr/share/elasticsearch", str(self.folder)).replace("exec sleep infinity", "")
        self.certs = self.folder / "config/certs"

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def serve(self) -> None:
        """Elasticsearch, as soon as there are certificates, as its container waits for them."""
        deadline = time.monotonic() + PATIENCE
        while not (self.certs / "ready").exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        own = "xpack.security.http.ssl."
        settings = [
            f"-E{own}enabled=true",
            f"-E{own}key=certs/elasticsearch/elasticsearch.key",
            f"-E{own}certificate=certs/elasticsearch/elasticsearch.crt",
            "-Ediscovery.type=single-node",
        ]
        with mock.patch.object(elasticsearch, "HOME", self.folder):
            self.server = elasticsearch.start(
                settings, {"ELASTIC_PASSWORD": PASSWORD, "DATA": str(self.folder / "data")}, self.port
            )
        self.server.serve_forever()

    def run_setup(self) -> None:
        environment = {
            **os.environ,
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "ELASTIC_PASSWORD": PASSWORD,
            "KIBANA_PASSWORD": 'kibana\'s "pass" \\ #2',
            "LOGSTASH_PASSWORD": "logstash's $pass #3",
            "RETENTION_DAYS": "30",
        }
        text = self.text.replace("https://elasticsearch:9200", f"https://localhost:{self.port}")
        subprocess.run(["bash", "-c", text], env=environment, check=True, capture_output=True, timeout=PATIENCE)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files to other users")
    def test_everyone_reads_the_certificates_and_only_the_authority_its_key(self) -> None:
        with socket.socket() as free:
            free.bind(("", 0))
            self.port = free.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()
        self.run_setup()
        self.addCleanup(setattr, elasticsearch.Server, "tls", None)
        self.addCleanup(self.end)
        for _ in range(2):
            for name, (user, groups) in USERS.items():
                for file, readable in (
                    ("ca/ca.crt", True),
                    ("elasticsearch/elasticsearch.key", True),
                    ("ca/ca.key", False),
                ):
                    read = subprocess.run(
                        ["cat", self.certs / file],
                        user=user,
                        group=groups[0],
                        extra_groups=groups[1:],
                        capture_output=True,
                        check=False,
                    )
                    self.assertEqual(read.returncode == 0, readable, f"{name}: {file}")
            address, authority = f"https://localhost:{self.port}", str(self.certs / "ca/ca.crt")
            for login, password in (
                ("elastic", PASSWORD),
                ("kibana_system", 'kibana\'s "pass" \\ #2'),
                ("logstash_writer", "logstash's $pass #3"),
            ):
                ask = client.Elasticsearch(address, authority, login, password).ask
                self.assertEqual(ask("GET", "")[0], 200, login)
            owner = client.Elasticsearch(address, authority, "elastic", PASSWORD)
            self.assertIn('"30d"', str(owner.ask("GET", "_ilm/policy/logs-retention")[1]).replace("'", '"'))
            # A container that starts again does the same once more.
            self.run_setup()


if __name__ == "__main__":
    unittest.main()
