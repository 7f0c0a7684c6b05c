"""Checks that the stand-ins for the Elastic Stack refuse what the real programs refuse, and that a line of a log goes
all the way through them.
"""

import contextlib
import io
import json
import pathlib
import queue
import socket
import socketserver
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from typing import Any
from unittest import mock

GROUND = pathlib.Path(__file__).resolve().parents[1]
CATALOGUE = GROUND.parents[2] / "infra/blueprint/catalogue/elk/files"
sys.dont_write_bytecode = True
sys.path.insert(0, str(GROUND / "images/elastic"))
import certutil  # noqa: E402
import client  # noqa: E402
import elasticsearch  # noqa: E402
import filebeat  # noqa: E402
import kibana  # noqa: E402
import logstash  # noqa: E402
import pipeline  # noqa: E402
import search  # noqa: E402

PASSWORD = 'it\'s a "pass" $word\\o #1'
PLAIN = ["-Ediscovery.type=single-node"]
POLICY = {"policy": {"phases": {"hot": {"actions": {}}, "delete": {"min_age": "30d", "actions": {"delete": {}}}}}}


def serving(server: socketserver.TCPServer) -> int:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class Stack(Folder):
    """Elasticsearch without TLS, and its owner."""

    def setUp(self) -> None:
        super().setUp()
        self.start()

    def start(self) -> None:
        server = elasticsearch.start(PLAIN, {"ELASTIC_PASSWORD": PASSWORD, "DATA": str(self.folder)}, port=0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f"http://127.0.0.1:{serving(server)}"
        self.owner = client.Elasticsearch(self.address, user="elastic", password=PASSWORD)

    def as_writer(self) -> client.Elasticsearch:
        role = {
            "cluster": ["monitor", "manage_index_templates"],
            "indices": [{"names": ["logs-*"], "privileges": ["write", "create_index", "auto_configure"]}],
        }
        self.assertEqual(self.owner.ask("PUT", "_security/role/writer", role)[0], 200)
        user = {"password": "a writer's", "roles": ["writer"]}
        self.assertEqual(self.owner.ask("PUT", "_security/user/writer", user), (200, {"created": True}))
        return client.Elasticsearch(self.address, user="writer", password="a writer's")

    def bulk(self, who: client.Elasticsearch, index: str, *documents: dict[str, Any]) -> dict[str, Any]:
        lines = [line for one in documents for line in ({"create": {"_index": index}}, one)]
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        return who.ask("POST", "_bulk", body, kind="application/x-ndjson")[1]

    def count(self, query: str) -> int:
        return self.owner.ask("GET", f"logs-*/_count?q={query}")[1]["count"]


class Logins(Stack):
    def test_a_wrong_password_and_none_get_401(self) -> None:
        for user, password in (("elastic", "wrong"), ("stranger", PASSWORD), (None, None)):
            stranger = client.Elasticsearch(self.address, user=user, password=password)
            self.assertEqual(stranger.ask("GET", "")[0], 401)
        self.assertEqual(self.owner.ask("GET", "")[0], 200)

    def test_a_login_of_the_stack_has_no_password_until_one_is_set(self) -> None:
        system = client.Elasticsearch(self.address, user="kibana_system", password="kibana's")
        self.assertEqual(system.ask("GET", "_nodes")[0], 401)
        self.owner.ask("POST", "_security/user/kibana_system/_password", {"password": "kibana's"})
        self.assertEqual(system.ask("GET", "_nodes")[0], 200)
        self.assertEqual(self.owner.ask("PUT", "_security/user/kibana_system", {"password": "another"})[0], 400)

    def test_a_short_password_and_unknown_privileges_are_refused(self) -> None:
        self.assertEqual(self.owner.ask("PUT", "_security/user/one", {"password": "short", "roles": []})[0], 400)
        roles: list[dict[str, Any]] = [{"cluster": ["watch"]}, {"clusters": []}]
        roles.append({"indices": [{"names": ["*"], "privileges": ["writes"]}]})
        for role in roles:
            self.assertEqual(self.owner.ask("PUT", "_security/role/one", role)[0], 400)

    def test_a_writer_writes_its_indices_and_nothing_else(self) -> None:
        writer = self.as_writer()
        self.assertFalse(self.bulk(writer, "logs-2026.01.01", {"message": "one"})["errors"])
        self.assertEqual(self.bulk(writer, "other", {"message": "one"})["items"][0]["create"]["status"], 403)
        for method, path in (
            ("GET", "logs-*/_count"),
            ("GET", "logs-2026.01.01"),
            ("PUT", "_ilm/policy/one"),
            ("DELETE", "logs-2026.01.01"),
            ("GET", "_security/user/elastic"),
        ):
            self.assertEqual(writer.ask(method, path, POLICY if method == "PUT" else None)[0], 403, path)

    def test_logins_and_documents_survive_a_restart(self) -> None:
        self.bulk(self.as_writer(), "logs-2026.01.01", {"message": "kept"})
        self.start()
        writer = client.Elasticsearch(self.address, user="writer", password="a writer's")
        self.assertEqual((writer.ask("GET", "")[0], self.count("message:kept")), (200, 1))


class Documents(Stack):
    def test_words_and_ranges_of_time_are_found(self) -> None:
        now = time.time()
        self.bulk(
            self.owner,
            "logs-one",
            {"@timestamp": filebeat.iso(now), "message": "validation mark12 of"},
            {"@timestamp": filebeat.iso(now - 600), "message": "older", "host": {"name": "web1"}},
        )
        for query, found in (
            ("message:mark12", 1),
            ("message:mark1", 0),
            ("mark12", 1),
            ("host.name:web1", 1),
            ("%40timestamp:%5Bnow-2m%20TO%20now%5D", 1),
            ("*", 2),
            ("message:older%20OR%20mark12", 2),
            ("message:%22validation%20mark12%22", 1),
            ("message:older%20AND%20mark12", 0),
        ):
            self.assertEqual(self.count(query), found, query)
        for query in ("message:", "(one", "%5Bnow"):
            self.assertEqual(self.owner.ask("GET", f"logs-*/_count?q={query}")[0], 400, query)

    def test_the_query_of_a_body_is_checked(self) -> None:
        self.bulk(self.owner, "logs-one", {"message": "one two"})
        query = {"bool": {"filter": [{"match": {"message": "two"}}], "must_not": {"term": {"message": "three"}}}}
        status, found = self.owner.ask("POST", "logs-one/_search", {"query": query})
        self.assertEqual((status, found["hits"]["total"]["value"]), (200, 1))
        body: dict[str, Any]
        for body in ({"query": {"matches": {}}}, {"querys": {}}, {"query": {"bool": {"musts": []}}}):
            self.assertEqual(self.owner.ask("POST", "logs-one/_search", body)[0], 400)
        self.assertEqual(self.owner.ask("GET", "no-such-index/_search")[0], 404)

    def test_templates_apply_and_old_indices_go(self) -> None:
        self.assertEqual(self.owner.ask("PUT", "_ilm/policy/retention", POLICY)[0], 200)
        template = {
            "index_patterns": ["logs-*"],
            "priority": 500,
            "template": {"settings": {"index.lifecycle.name": "retention", "number_of_replicas": 0}},
        }
        self.assertEqual(self.owner.ask("PUT", "_index_template/daily", template)[0], 200)
        self.bulk(self.owner, "logs-old", {"message": "old"})
        self.bulk(self.owner, "other", {"message": "old"})
        self.assertEqual(self.owner.ask("GET", "_cluster/health")[1]["status"], "yellow")
        kept = elasticsearch.Handler.indices
        kept.expire(time.time() + 29 * 86400)
        self.assertIn("logs-old", kept.all)
        kept.expire(time.time() + 31 * 86400)
        self.assertEqual(list(kept.all), ["other"])

    def test_wrong_policies_templates_and_names_are_refused(self) -> None:
        wrong = json.dumps(POLICY)
        for body in (wrong.replace("30d", "30 days"), wrong.replace('"delete":', '"deletes":', 1), "{}"):
            self.assertEqual(self.owner.ask("PUT", "_ilm/policy/one", json.loads(body))[0], 400, body)
        templates: list[dict[str, Any]] = [{"template": {}}, {"index_patterns": ["a"], "settings": {}}]
        templates.append({"index_patterns": ["a"], "template": {"settings": {"number_of_shard": 1}}})
        for template in templates:
            self.assertEqual(self.owner.ask("PUT", "_index_template/one", template)[0], 400)
        self.assertEqual(self.bulk(self.owner, "Logs", {})["items"][0]["create"]["status"], 400)
        self.assertEqual(self.owner.ask("GET", "_no_such_call")[0], 400)


class Start(Folder):
    def test_settings_that_are_wrong_refuse_to_start(self) -> None:
        for setting in ("xpack.security.enable=true", "bootstrap.memory_lock=yes", "discovery.type=multi-node"):
            with self.assertRaises(elasticsearch.Unusable):
                elasticsearch.settings_of([*PLAIN, f"-E{setting}"])
        for options, why in (("-Xms2g -Xmx1g", "larger"), ("-Xmz1g", "Unrecognized"), ("-xmx1g", "Unrecognized")):
            with self.assertRaisesRegex(elasticsearch.Unusable, why):
                elasticsearch.heap(options)
        self.assertEqual(elasticsearch.heap("-Xms1G -Xmx2g -Dlog4j2.formatMsgNoLookups=true"), 2 << 30)
        with mock.patch.object(elasticsearch, "limit", return_value=1 << 30), self.assertRaises(elasticsearch.Unusable):
            elasticsearch.start([*PLAIN, "-Ebootstrap.memory_lock=true"], {"ES_JAVA_OPTS": "-Xms2g -Xmx2g"}, port=0)

    def test_certificates_are_made_and_trusted_by_their_name(self) -> None:
        certutil.main(["ca", "--silent", "--pem", "--days", "9", "--out", str(self.folder / "ca.zip")])
        for name in ("ca", "cert"):
            if name == "cert":
                command = "cert --silent --pem --days 9 --name one --dns localhost".split()
                signer = ["--ca-cert", str(self.folder / "ca/ca.crt"), "--ca-key", str(self.folder / "ca/ca.key")]
                certutil.main([*command, *signer, "--out", str(self.folder / "cert.zip")])
            zipfile.ZipFile(self.folder / f"{name}.zip").extractall(self.folder)
        tls = [
            "xpack.security.http.ssl.enabled=true",
            "xpack.security.http.ssl.key=../one/one.key",
            "xpack.security.http.ssl.certificate=../one/one.crt",
        ]
        environment = {"ELASTIC_PASSWORD": PASSWORD, "DATA": str(self.folder)}
        (self.folder / "config").mkdir()
        with mock.patch.object(elasticsearch, "HOME", self.folder):
            server = elasticsearch.start(PLAIN + [f"-E{one}" for one in tls], environment, port=0)
            self.addCleanup(setattr, elasticsearch.Server, "tls", None)
            with self.assertRaises(elasticsearch.Unusable):
                elasticsearch.context({"xpack.security.http.ssl.enabled": True})
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        port, authority = serving(server), str(self.folder / "ca/ca.crt")
        ask = client.Elasticsearch(f"https://localhost:{port}", authority, "elastic", PASSWORD).ask
        self.assertEqual(ask("GET", "")[0], 200)
        for address, file in ((f"https://127.0.0.1:{port}", authority), (f"https://localhost:{port}", None)):
            with self.assertRaises(OSError):
                client.Elasticsearch(address, file).ask("GET", "")
        with self.assertRaises(OSError):
            client.Elasticsearch(address, str(self.folder / "missing"))

    def test_options_that_do_not_exist_are_refused(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            certutil.arguments(["ca", "--pem", "--out", "a", "--day", "9"])


class Kibana(Stack):
    def setUp(self) -> None:
        super().setUp()
        self.owner.ask("POST", "_security/user/kibana_system/_password", {"password": "kibana's"})
        self.environment = {
            "SERVER_NAME": "one",
            "ELASTICSEARCH_HOSTS": self.address,
            "ELASTICSEARCH_USERNAME": "kibana_system",
            "ELASTICSEARCH_PASSWORD": "kibana's",
            "TELEMETRY_ENABLED": "false",
        }

    def serve(self, **more: str) -> client.Elasticsearch:
        with mock.patch.object(kibana.State, "watch"):
            server = kibana.start({**self.environment, **more}, port=0)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with mock.patch.object(kibana, "VERSION", elasticsearch.VERSION):
            kibana.Kibana.state.look()
        return client.Elasticsearch(f"http://127.0.0.1:{serving(server)}", user="elastic", password=PASSWORD)

    def test_it_is_available_with_its_login_and_not_with_another(self) -> None:
        self.assertEqual(self.serve().ask("GET", "api/status")[0], 200)
        self.assertEqual(self.serve(ELASTICSEARCH_PASSWORD="wrong").ask("GET", "api/status")[0], 503)

    def test_data_views_are_kept_for_the_owner(self) -> None:
        owner = self.serve()
        view = {"data_view": {"title": "logs-*"}}
        self.assertEqual(owner.ask("POST", "api/data_views/data_view", view)[0], 400)
        real = kibana.Kibana.parse_request

        def with_header(handler: Any) -> bool:
            done = real(handler)
            handler.headers["kbn-xsrf"] = "true"
            return done

        with mock.patch.object(kibana.Kibana, "parse_request", with_header):
            self.assertEqual(owner.ask("POST", "api/data_views/data_view", view)[0], 200)
            self.assertEqual(owner.ask("POST", "api/data_views/data_view", {"data_view": {}})[0], 400)
        [found] = owner.ask("GET", "api/data_views")[1]["data_view"]
        self.assertEqual(found["title"], "logs-*")
        stranger = client.Elasticsearch(owner.address, user="elastic", password="wrong")
        self.assertEqual(stranger.ask("GET", "api/data_views")[0], 401)

    def test_wrong_settings_refuse_to_start(self) -> None:
        for more in (
            {"SERVER_NAM": "one"},
            {"TELEMETRY_ENABLED": "no"},
            {"ELASTICSEARCH_HOSTS": "elasticsearch"},
            {"ELASTICSEARCH_USERNAME": "elastic"},
            {"XPACK_SECURITY_ENCRYPTIONKEY": "short"},
        ):
            with self.assertRaises(kibana.Unusable):
                kibana.settings_of({**self.environment, **more})


class Pipelines(unittest.TestCase):
    TEXT = (CATALOGUE / "logstash.conf").read_text()
    # The file of the authority exists only in the container.
    WITHOUT_FILE = TEXT.replace('ssl_certificate_authorities => ["/usr/share/logstash/config/certs/ca/ca.crt"]', "")

    def test_the_catalogues_pipeline_is_read(self) -> None:
        found = pipeline.read(self.TEXT, {"LOGSTASH_PASSWORD": PASSWORD})
        self.assertEqual([one[:2] for one in found], [("input", "beats"), ("output", "elasticsearch")])
        self.assertEqual((found[0][2]["port"], found[1][2]["password"]), (5044, PASSWORD))

    def test_what_logstash_refuses_is_refused(self) -> None:
        for old, new in (
            ("password  ", "passwort "),
            ("port => 5044", ""),
            ("beats", "beat"),
            ("5044", '"many"'),
            ("=> 5044", "5044"),
            ("output {", ""),
            ("manage_template             => false", "manage_template => no"),
            ("data_stream                 => false", "data_stream => true"),
            ("user  ", "id  "),
        ):
            changed = self.WITHOUT_FILE.replace(old, new)
            self.assertNotEqual(changed, self.WITHOUT_FILE)
            with self.assertRaises(pipeline.Invalid, msg=new):
                logstash.Pipeline(pipeline.read(changed, {"LOGSTASH_PASSWORD": PASSWORD}))
        for text, environment in ((self.TEXT, {}), (self.TEXT, {"LOGSTASH_PASSWORD": PASSWORD})):
            # The variable is missing, and then the file of the authority.
            with self.assertRaises(pipeline.Invalid):
                logstash.Pipeline(pipeline.read(text, environment))
        logstash.Pipeline(pipeline.read(self.WITHOUT_FILE, {"LOGSTASH_PASSWORD": PASSWORD}))

    def test_the_day_of_an_event_names_its_index(self) -> None:
        event = {"@timestamp": "2026-11-26T23:59:59.999Z", "host": {"name": "web1"}}
        self.assertEqual(logstash.filled("logs-%{+YYYY.MM.dd}-%{[host][name]}", event), "logs-2026.11.26-web1")


class Shipping(Stack):
    SETTINGS = (CATALOGUE / "filebeat.yml").read_text()

    def settings(self, text: str, mode: int = 0o644) -> tuple[list[dict[str, Any]], tuple[str, int]]:
        file = self.folder / "filebeat.yml"
        file.write_text(text)
        file.chmod(mode)
        return filebeat.settings_of(file)

    def test_the_catalogues_settings_are_read(self) -> None:
        inputs, address = self.settings(self.SETTINGS)
        self.assertEqual(([one["type"] for one in inputs], address), (["journald", "filestream"], ("logstash", 5044)))

    def test_what_filebeat_refuses_is_refused(self) -> None:
        for old, new in (
            ("journald", "journal"),
            ("paths:", "path:"),
            ("id: containers", "id: journal"),
            ("hosts:", "host:"),
            ("container:", "docker:"),
            ("output.logstash", "output.elastic"),
            ("filebeat.inputs", "filebeat.input"),
            ("parsers:", "parser:"),
        ):
            self.assertIn(old, self.SETTINGS)
            with self.assertRaises(filebeat.Unusable, msg=new):
                self.settings(self.SETTINGS.replace(old, new))
        with self.assertRaises(filebeat.Unusable):
            self.settings(self.SETTINGS, mode=0o664)

    def test_a_line_goes_all_the_way_and_once(self) -> None:
        self.as_writer()
        text = (
            "input { beats { port => 0 } } output { elasticsearch { "
            f'hosts => ["{self.address}"] user => "writer" password => "${{P}}" '
            'index => "logs-%{+YYYY.MM.dd}" } }'
        )
        (self.folder / "one.conf").write_text(text)
        api, beats = logstash.start(self.folder, {"P": "a writer's"}, api=0)
        for server in (api, beats):
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
        serving(api)
        address = ("127.0.0.1", serving(beats))
        log = self.folder / "one-json.log"
        log.write_text(
            json.dumps({"log": "first mark1\n", "stream": "stderr", "time": "2026-11-26T18:00:00.123456789Z"}) + "\n"
        )
        one = {"type": "filestream", "id": "c", "paths": [str(log)], "parsers": [{"container": {}}]}
        registry = filebeat.Registry(self.folder / "data")
        events: queue.Queue[tuple[str, Any, dict[str, Any]]] = queue.Queue()
        offsets: dict[str, int] = {}
        with socket.create_connection(address) as connection:
            filebeat.read_file(str(log), one, registry, events, offsets)
            window = [events.get()]
            filebeat.ship(connection, window)
            registry.note({place: at for place, at, _ in window})
            # A restarted program continues after the last acknowledged event.
            filebeat.read_file(str(log), one, filebeat.Registry(self.folder / "data"), events, {})
            self.assertTrue(events.empty())
        self.assertEqual(self.count("message:mark1"), 1)
        self.assertIn("logs-2026.11.26", elasticsearch.Handler.indices.all)

    def test_an_entry_of_the_journal_becomes_an_event(self) -> None:
        entry = {"__REALTIME_TIMESTAMP": "1764180000123456", "MESSAGE": [104, 105], "_SYSTEMD_UNIT": "ssh.service"}
        event = filebeat.journal_event(entry)
        self.assertEqual((event["message"], event["systemd"]["unit"]), ("hi", "ssh.service"))
        self.assertEqual(search.moment(event["@timestamp"], 0), 1764180000.123)


if __name__ == "__main__":
    unittest.main()
