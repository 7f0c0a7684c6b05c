"""What the parts of the stand-in for k3s share: its settings, its certificates, and requests between its programs."""

import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import threading
from typing import Any

import yaml

SETTINGS, DATA = pathlib.Path("/etc/rancher/k3s"), pathlib.Path("/var/lib/rancher/k3s")
API, KUBELET, FLANNEL = 6443, 10250, 8472
# How often nodes report, manifests are read and kubelets are asked; and after how long without a report a node is not
# ready. All in seconds.
LOOK, GONE = 2, 15
# How long another program may take to answer, in seconds.
PATIENCE = 5
COMMON = {
    "node-ip",
    "node-name",
    "node-label",
    "node-taint",
    "flannel-iface",
    "token",
    "token-file",
    "server",
    "data-dir",
    "kubelet-arg",
    "protect-kernel-defaults",
}
KNOWN = {
    "agent": COMMON,
    "server": COMMON
    | {
        "advertise-address",
        "write-kubeconfig-mode",
        "secrets-encryption",
        "disable",
        "tls-san",
        "cluster-init",
        "cluster-cidr",
        "service-cidr",
        "kube-apiserver-arg",
        "disable-network-policy",
        "bind-address",
    },
}
COMPONENTS = ("coredns", "servicelb", "traefik", "local-storage", "metrics-server", "runtimes")


class Failed(Exception):
    """The reason why a command ends."""


def settings_of(kind: str, file: pathlib.Path) -> dict[str, Any]:
    settings = yaml.safe_load(file.read_text()) if file.exists() else {}
    for name, value in (settings or {}).items():
        if name not in KNOWN[kind]:
            raise Failed(f"flag provided but not defined: -{name}")
        if name == "disable":
            for one in value if isinstance(value, list) else [value]:
                if one not in COMPONENTS:
                    raise Failed(f"invalid value {one} for disable")
        if name == "write-kubeconfig-mode" and not re.fullmatch("0?[0-7]{3}", str(value)):
            raise Failed(f"failed to parse kubeconfig mode {value}")
    settings = settings or {}
    listed = json.loads(
        subprocess.run(["ip", "-json", "-4", "address"], check=True, capture_output=True, text=True).stdout
    )
    own = {address["local"]: one["ifname"] for one in listed for address in one["addr_info"]}
    address = str(settings.get("node-ip") or next(one for one, name in own.items() if name != "lo"))
    if address not in own:
        raise Failed(f"node-ip {address} is not an address of this machine")
    if settings.get("flannel-iface", own[address]) not in own.values():
        raise Failed(f"unable to find interface {settings['flannel-iface']}")
    if kind == "agent" and not settings.get("server"):
        raise Failed("--server is required")
    token = settings.get("token")
    if settings.get("token-file"):
        token = pathlib.Path(settings["token-file"]).read_text().strip()
    if kind == "agent" and not token:
        raise Failed("--token is required")
    return {
        **settings,
        "node-ip": address,
        "token": token,
        "node-name": settings.get("node-name") or socket.gethostname(),
    }


def write(file: pathlib.Path, text: str, mode: int = 0o600) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".new")
    part.touch(mode)
    part.write_text(text)
    part.chmod(mode)
    part.rename(file)


def ready() -> None:
    """Tells systemd that the program has started."""
    if where := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.connect("\0" + where[1:] if where.startswith("@") else where)
            to.send(b"READY=1")


def authority(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """The certificate and the key of the server, which are its own authority."""
    certificate, key = folder / "server-ca.crt", folder / "server-ca.key"
    if not certificate.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=k3s-server-ca".split()
        subprocess.run(
            [*command, "-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        key.chmod(0o600)
    return certificate, key


def ask(
    host: str, port: int, path: str, body: Any = None, token: str = "", trusted: str | None = None
) -> tuple[int, Any]:
    """An answer over TLS. With `trusted`, only from a server that has the certificate with this digest."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    to = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=context)
    try:
        to.connect()
        shown = hashlib.sha256(to.sock.getpeercert(binary_form=True) or b"").hexdigest()
        if trusted and not hmac.compare_digest(shown, trusted):
            raise Failed("token CA hash does not match the Cluster CA certificate hash")
        data = None if body is None else json.dumps(body)
        to.request("GET" if body is None else "POST", path, data, {"authorization": f"Bearer {token}"})
        answer = to.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        to.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    part: Any

    def log_message(self, *_: object) -> None:
        pass

    def serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        status, answer = self.part.handle_call(self.path, json.loads(body or b"null"), token)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = serve


def listen(
    part: Any, port: int, address: str = "", tls: ssl.SSLContext | None = None
) -> http.server.ThreadingHTTPServer:
    class Own(Handler):
        pass

    Own.part = part
    server = http.server.ThreadingHTTPServer((address, port), Own)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def tls_of(files: tuple[pathlib.Path, pathlib.Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context
