"""The control plane of the stand-in for k3s: its nodes, and what the manifests in its folder say."""

import base64
import fnmatch
import hashlib
import hmac
import ipaddress
import json
import secrets
import socket
import ssl
import subprocess
import sys
import threading
import time
from typing import Any

import yaml
from node import Kubelet
from shared import (
    API,
    DATA,
    FLANNEL,
    GONE,
    KUBELET,
    LOOK,
    SETTINGS,
    Failed,
    ask,
    authority,
    listen,
    ready,
    tls_of,
    write,
)

# What the server runs of its own, unless it is disabled. Traefik and the load balancer would listen on the node's
# ports.
SYSTEM = {"coredns": "coredns", "local-path-provisioner": "local-storage", "metrics-server": "metrics-server"}


def cluster_address(space: str, name: str) -> str:
    """The address of a service, from the range of k3s."""
    number = int(hashlib.sha256(f"{space}/{name}".encode()).hexdigest(), 16) % 60000 + 100
    return str(ipaddress.ip_address("10.43.0.0") + number)


class Service:
    """A service at its cluster address on this node, which asks one of its pods after the other. As with k3s, a rule of
    the node leads there, and nothing listens at the address itself. A rule from before a restart comes after this
    one."""

    def __init__(self, cluster: "Cluster", key: tuple[str, dict[str, str]], address: str, port: int) -> None:
        self.cluster, self.key, self.next = cluster, key, 0
        # The same after a restart.
        own = listen(self, 20000 + int(ipaddress.ip_address(address)) % 10000, "127.0.0.1").server_port
        rule = f"-d {address}/32 -p tcp --dport {port} -j DNAT --to-destination 127.0.0.1:{own}".split()
        subprocess.run(["iptables", "-t", "nat", "-I", "OUTPUT", *rule], check=True)

    def handle_call(self, path: str, *_: object) -> tuple[int, Any]:
        pods = self.cluster.ready_pods(self.key)
        if not pods:
            return 503, b"no endpoints available"
        self.next += 1
        pod = pods[self.next % len(pods)]
        status, name = ask(
            self.cluster.nodes[pod["node"]]["address"], KUBELET, f"/pods/{pod['name']}{path}", token=self.cluster.secret
        )
        return status, str(name).encode()


class Cluster:
    """The control plane on the first server: nodes, and what the manifests say."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings, self.file = settings, DATA / "server/db/state.json"
        self.nodes: dict[str, dict[str, Any]] = {}
        self.pods: list[dict[str, Any]] = []
        self.objects: dict[tuple[str, str, str], dict[str, Any]] = {}
        self.services: dict[tuple[str, str], str] = {}
        self.lock = threading.RLock()
        if self.file.exists():
            kept = json.loads(self.file.read_text())
            self.nodes, self.pods = kept["nodes"], kept["pods"]
        files = authority(DATA / "server/tls")
        certificate = ssl.PEM_cert_to_DER_cert(files[0].read_text())
        token = DATA / "server/token"
        if not token.exists():
            secret = settings["token"] or secrets.token_hex(16)
            write(token, f"K10{hashlib.sha256(certificate).hexdigest()}::server:{secret}\n")
            (DATA / "server/node-token").symlink_to(token)
        self.secret = token.read_text().strip().rpartition(":")[2]
        self.credentials(certificate)
        (DATA / "server/manifests").mkdir(parents=True, exist_ok=True, mode=0o700)
        listen(self, API, tls=tls_of(files))

    def credentials(self, certificate: Any) -> None:
        """The credentials for the API, whose owner and mode decide who may use it."""
        mode = int(str(self.settings.get("write-kubeconfig-mode", "600")), 8)
        authority_data = base64.b64encode(ssl.DER_cert_to_PEM_cert(certificate).encode()).decode()
        text = yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "default",
                "clusters": [
                    {
                        "name": "default",
                        "cluster": {"server": f"https://127.0.0.1:{API}", "certificate-authority-data": authority_data},
                    }
                ],
                "users": [{"name": "default", "user": {"token": self.secret}}],
                "contexts": [{"name": "default", "context": {"cluster": "default", "user": "default"}}],
            }
        )
        write(SETTINGS / "k3s.yaml", text, mode)

    def handle_call(self, path: str, body: Any, token: str) -> tuple[int, Any]:
        if not hmac.compare_digest(token, self.secret):
            return 401, {"message": "Unauthorized"}
        with self.lock:
            if path == "/report":
                self.note(body)
                return 200, {}
            if path == "/state":
                objects = [
                    {"kind": kind, "namespace": space, "name": name, **one}
                    for (kind, space, name), one in self.objects.items()
                ]
                nodes = [{**one, "ready": self.is_ready(one)} for one in self.nodes.values()]
                return 200, {"nodes": nodes, "pods": self.shown(), "objects": objects}
        return 404, {"message": "not found"}

    def note(self, report: dict[str, Any]) -> None:
        known = self.nodes.setdefault(report["name"], {"since": time.time(), "reached": 0})
        known.update(report, at=time.time())

    def is_ready(self, node: dict[str, Any]) -> bool:
        now = time.time()
        return now - node.get("at", 0) < GONE and now - node["reached"] < GONE

    def shown(self) -> list[dict[str, Any]]:
        return [
            {**pod, "ready": self.is_ready(self.nodes[pod["node"]])} for pod in self.pods if pod["node"] in self.nodes
        ]

    def ready_pods(self, key: tuple[str, dict[str, str]]) -> list[dict[str, Any]]:
        space, selector = key
        return [
            pod
            for pod in self.shown()
            if pod["ready"] and pod["namespace"] == space and selector.items() <= pod["labels"].items()
        ]

    def reach(self) -> None:
        """Asks each node's kubelet, and the network of the pods, over the nodes' own network."""
        for node in list(self.nodes.values()):
            try:
                status, _ = ask(node["address"], KUBELET, "/healthz", token=self.secret)
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to:
                    to.settimeout(LOOK)
                    to.connect((node["address"], FLANNEL))
                    to.send(b"flannel")
                    to.recv(1500)
                if status == 200:
                    node["reached"] = time.time()
            except OSError as error:
                node["why"] = str(error)

    def apply(self) -> None:
        """Reads the manifests, and makes what they name."""
        found = {}
        for file in sorted((DATA / "server/manifests").glob("*.y*ml")):
            try:
                for one in filter(None, yaml.safe_load_all(file.read_text())):
                    found[one["kind"], one["metadata"].get("namespace", "default"), one["metadata"]["name"]] = checked(
                        one
                    )
            except (yaml.YAMLError, KeyError, TypeError, Failed) as error:
                print(f"failed to process config: failed to process {file}: {error}", file=sys.stderr, flush=True)
        with self.lock:
            self.objects = found
            off = self.settings.get("disable", [])
            wanted = {
                ("kube-system", name): (1, {"app": name}) for name, component in SYSTEM.items() if component not in off
            }
            spaces = {"default", "kube-system"} | {name for kind, _, name in found if kind == "Namespace"}
            for (kind, space, name), one in found.items():
                if kind == "Deployment" and space in spaces:
                    wanted[space, name] = (
                        one["spec"].get("replicas", 1),
                        one["spec"]["template"]["metadata"]["labels"],
                    )
                if kind == "Service" and space in spaces and (space, name) not in self.services:
                    self.services[space, name] = self.serve(space, name, one)
            self.schedule(wanted)
            write(self.file, json.dumps({"nodes": self.nodes, "pods": self.pods}))

    def serve(self, space: str, name: str, one: dict[str, Any]) -> str:
        address = cluster_address(space, name)
        Service(self, (space, one["spec"]["selector"]), address, one["spec"]["ports"][0]["port"])
        return address

    def schedule(self, wanted: Any) -> None:
        self.pods = [pod for pod in self.pods if (pod["namespace"], pod["of"]) in wanted]
        names = sorted(name for name, node in self.nodes.items() if self.is_ready(node))
        for (space, name), (count, labels) in wanted.items():
            own = [pod for pod in self.pods if (pod["namespace"], pod["of"]) == (space, name)]
            for pod in own[count:]:
                self.pods.remove(pod)
            for number in range(len(own), count if names else 0):
                self.pods.append(
                    {
                        "namespace": space,
                        "of": name,
                        "labels": labels,
                        "node": names[number % len(names)],
                        "since": time.time(),
                        "name": f"{name}-{secrets.token_hex(5)}-{secrets.token_hex(3)[:5]}",
                    }
                )


def checked(one: dict[str, Any]) -> dict[str, Any]:
    """An object of a manifest, refused where Kubernetes' API would refuse it."""
    versions = {"Namespace": "v1", "Service": "v1", "Deployment": "apps/v1", "ConfigMap": "v1"}
    if versions.get(one["kind"]) != one["apiVersion"]:
        raise Failed(f'no matches for kind "{one["kind"]}" in version "{one["apiVersion"]}"')
    if one["kind"] == "Deployment":
        labels = one["spec"]["template"]["metadata"]["labels"]
        if not one["spec"]["selector"]["matchLabels"].items() <= labels.items():
            raise Failed("`selector` does not match template `labels`")
        for container in one["spec"]["template"]["spec"]["containers"]:
            if not fnmatch.fnmatch(container["image"], "*/agnhost:*") or container.get("args", [""])[0] != "netexec":
                raise Failed(f"this stand-in runs no image but agnhost with netexec, and not {container['image']}")
    if one["kind"] == "Service" and not (one["spec"]["selector"] and one["spec"]["ports"]):
        raise Failed("a service has a selector and ports")
    return {"spec": one.get("spec", {})}


def server(settings: dict[str, Any]) -> None:
    cluster = Cluster(settings)
    kubelet = Kubelet(settings, cluster.secret)
    ready()
    while True:
        cluster.note(kubelet.report())
        cluster.reach()
        cluster.apply()
        time.sleep(LOOK)
