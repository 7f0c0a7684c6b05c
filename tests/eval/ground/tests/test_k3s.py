"""Checks that the stand-in for k3s refuses wrong settings, manifests and tokens, and describes its nodes and pods as
kubectl does."""

import contextlib
import hashlib
import io
import json
import pathlib
import stat
import sys
import tempfile
import time
import types
import unittest
from typing import Any
from unittest import mock

from running import GROUND, ROOT

FILES = ROOT / "infra/blueprint/catalogue/k3s/files"
sys.modules["version"] = types.ModuleType("version")
sys.modules["version"].__dict__["VERSION"] = "v1"
sys.path.insert(0, str(GROUND / "release/k3s"))
import cluster  # noqa: E402
import kubectl  # noqa: E402
import node  # noqa: E402
import shared  # noqa: E402
import yaml  # noqa: E402

import release  # noqa: E402
import runc  # noqa: E402

ADDRESSES = (
    '[{"ifname":"lo","addr_info":[{"local":"127.0.0.1"}]},{"ifname":"eth1","addr_info":[{"local":"10.77.0.11"}]}]'
)
GOOD = {
    "node-ip": "10.77.0.11",
    "flannel-iface": "eth1",
    "write-kubeconfig-mode": "0600",
    "disable": ["traefik", "servicelb"],
}


class Settings(unittest.TestCase):
    def read(self, kind: str, settings: dict[str, Any]) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(shared.subprocess, "run") as run:
            run.return_value.stdout = ADDRESSES
            file = pathlib.Path(folder) / "config.yaml"
            file.write_text(yaml.safe_dump(settings))
            return shared.settings_of(kind, file)

    def test_what_k3s_refuses_is_refused(self) -> None:
        self.assertEqual(self.read("server", GOOD)["node-ip"], "10.77.0.11")
        for wrong in (
            {"nodeip": "10.77.0.11"},
            {"node-ip": "10.77.0.12"},
            {"flannel-iface": "eth2"},
            {"disable": ["nginx"]},
            {"write-kubeconfig-mode": "rw"},
        ):
            with self.assertRaises(shared.Failed, msg=wrong):
                self.read("server", {**GOOD, **wrong})
        with self.assertRaises(shared.Failed):
            self.read("agent", {"server": "https://10.77.0.11:6443"})
        with self.assertRaises(shared.Failed):
            self.read("agent", {"token": "one"})
        with self.assertRaises(shared.Failed):
            self.read("agent", {**GOOD, "server": "https://10.77.0.11:6443", "token": "one"})

    def test_a_token_has_its_form(self) -> None:
        for token in ("secret", "K10::server:secret", f"K10{'0' * 63}::server:secret"):
            with self.assertRaises(shared.Failed):
                node.agent({"token": token, "server": "https://10.77.0.11:6443"})


class Manifests(unittest.TestCase):
    def test_the_catalogues_workload_is_accepted_and_wrong_ones_are_not(self) -> None:
        text = (FILES / "hello.yaml").read_text().replace("@version_agnhost@", "2.53")
        kinds = [one["kind"] for one in yaml.safe_load_all(text) if cluster.checked(one) is not None]
        self.assertEqual(kinds, ["Namespace", "Deployment", "Service"])
        for old, new in (
            ("apps/v1", "v1"),
            ("labels: { app: hello }", "labels: { app: hi }"),
            ("agnhost:", "nginx:"),
            ("netexec", "pause"),
            ("selector: { app: hello }", "selector: {}"),
            ("kind: Service", "kind: Servce"),
        ):
            self.assertIn(old, text)
            with self.assertRaises((shared.Failed, KeyError), msg=new):
                for one in yaml.safe_load_all(text.replace(old, new)):
                    cluster.checked(one)


class Nodes(unittest.TestCase):
    def setUp(self) -> None:
        self.cluster = cluster.Cluster.__new__(cluster.Cluster)
        now = time.time()
        self.cluster.nodes = {
            name: {"name": name, "version": "v1", "since": now, "at": now, "reached": now} for name in ("a", "a-2")
        }
        self.cluster.pods = []

    def test_a_node_is_ready_while_it_reports_and_is_reached(self) -> None:
        ready = self.cluster.is_ready
        self.assertTrue(ready(self.cluster.nodes["a"]))
        for name in ("at", "reached"):
            old = {**self.cluster.nodes["a"], name: time.time() - shared.GONE - 1}
            self.assertFalse(ready(old), name)

    def test_pods_are_spread_over_the_nodes_that_are_ready_and_removed(self) -> None:
        self.cluster.nodes["a-3"] = {**self.cluster.nodes["a"], "name": "a-3", "reached": 0}
        self.cluster.schedule({("hello", "hello"): (4, {"app": "hello"})})
        self.assertEqual(sorted(pod["node"] for pod in self.cluster.pods), ["a", "a", "a-2", "a-2"])
        names = [pod["name"] for pod in self.cluster.pods]
        self.cluster.schedule({("hello", "hello"): (4, {"app": "hello"})})
        self.assertEqual([pod["name"] for pod in self.cluster.pods], names)
        self.cluster.schedule({("hello", "hello"): (1, {"app": "hello"})})
        self.assertEqual(len(self.cluster.pods), 1)
        self.cluster.schedule({})
        self.assertEqual(self.cluster.pods, [])

    def said(self, words: str, known: dict[str, Any]) -> str:
        printed = io.StringIO()
        with mock.patch.object(kubectl, "state", return_value=known), contextlib.redirect_stdout(printed):
            kubectl.kubectl(words.split())
        return printed.getvalue()

    def test_kubectl_answers_in_its_own_form(self) -> None:
        pod = {
            "namespace": "hello",
            "of": "hello",
            "name": "hello-1",
            "labels": {"app": "hello"},
            "ready": True,
            "since": time.time(),
        }
        dns = {**pod, "namespace": "kube-system", "of": "coredns", "name": "coredns-1", "labels": {}}
        objects = [
            {"kind": "Deployment", "namespace": "hello", "name": "hello", "spec": {"replicas": 1}},
            {"kind": "Service", "namespace": "hello", "name": "hello", "spec": {"ports": [{"port": 80}]}},
        ]
        nodes = [{"name": "a", "ready": True, "version": "v1", "since": time.time()}]
        known = {"nodes": nodes, "pods": [pod, dns], "objects": objects}
        self.assertEqual(self.said("get nodes --no-headers", known).split()[:3], ["a", "Ready", "control-plane"])
        lines = self.said("get pods --all-namespaces --no-headers", known).splitlines()
        self.assertEqual([line.split()[3] for line in lines], ["Running", "Running"])
        names = "--namespace hello get pods --selector app=hello --output jsonpath={.items[*].metadata.name}"
        self.assertEqual(self.said(names, known), "hello-1")
        address = self.said("--namespace hello get service hello --output jsonpath={.spec.clusterIP}", known)
        self.assertRegex(address, r"^10\.43\.")
        self.assertIn("rolled out", self.said("--namespace hello rollout status deployment/hello --timeout=1s", known))
        self.assertIn("condition met", self.said("wait --for=condition=Ready node --all --timeout=1s", known))
        reach = (
            "--namespace hello exec deployment/hello -- /agnhost connect --timeout=5s hello.hello.svc.cluster.local:80"
        )
        self.said(reach, known)
        for words, other in (
            (reach.replace(":80", ":81"), known),
            (reach, {**known, "pods": [pod]}),
            ("wait --for=condition=Ready node --all --timeout=0s", {**known, "nodes": [{**nodes[0], "ready": False}]}),
            ("rollout status deployment/hello --timeout=0s", known),
            ("delete pods hello-1", known),
            ("get secrets", known),
        ):
            with self.assertRaises(shared.Failed, msg=words):
                self.said(words, other)


class Release(unittest.TestCase):
    def test_the_release_has_one_program_and_its_checksum(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            release.write(pathlib.Path(folder))
            [program] = pathlib.Path(folder).rglob("download/*/k3s")
            lines = (program.parent / "sha256sum-amd64.txt").read_text().splitlines()
            listed = {name: digest for digest, name in map(str.split, lines)}
            self.assertEqual(listed["k3s"], hashlib.sha256(program.read_bytes()).hexdigest())
            self.assertTrue(program.read_bytes().startswith(b"#!/usr/bin/python3\n"))
            self.assertTrue(program.stat().st_mode & stat.S_IXUSR)

    def test_limits_are_those_that_this_machine_may_give(self) -> None:
        with mock.patch.object(runc.resource, "getrlimit", return_value=(64, 100)):
            limits = runc.lowered(
                [
                    {"type": "RLIMIT_MEMLOCK", "soft": 1 << 64, "hard": 1 << 64},
                    {"type": "RLIMIT_NOFILE", "soft": 1, "hard": 2},
                ]
            )
        self.assertEqual([(one["soft"], one["hard"]) for one in limits], [(100, 100), (1, 2)])

    def test_a_container_and_a_command_in_it_get_the_limits_that_the_machine_gives(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(runc.os, "access", return_value=True):
            process = {"rlimits": [{"type": "RLIMIT_MEMLOCK", "soft": 1 << 64, "hard": 1 << 64}]}
            for name, words, given in (
                ("config.json", ["create", "--bundle", folder], {"process": process}),
                ("process", ["exec", "--process", f"{folder}/process"], process),
            ):
                file = pathlib.Path(folder, name)
                file.write_text(json.dumps(given))
                with (
                    mock.patch.object(runc.os, "execv") as execv,
                    mock.patch.object(runc.resource, "getrlimit", return_value=(64, 100)),
                ):
                    runc.main(words)
                self.assertEqual(execv.call_args.args[1][1:], words)
                self.assertNotIn(str(1 << 64), file.read_text())
                self.assertIn('"hard": 100', file.read_text())


if __name__ == "__main__":
    unittest.main()
