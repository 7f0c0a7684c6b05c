"""A node of the stand-in for k3s: the kubelet, and the agent that joins a cluster."""

import hmac
import re
import socket
import sys
import threading
import time
import urllib.parse
from typing import Any

from shared import API, DATA, FLANNEL, KUBELET, LOOK, Failed, ask, authority, listen, ready, tls_of
from version import VERSION


class Kubelet:
    """What runs on each node: its pods, and who asks for them with the cluster's secret."""

    def __init__(self, settings: dict[str, Any], secret: str) -> None:
        self.settings, self.secret = settings, secret
        listen(self, KUBELET, tls=tls_of(authority(DATA / "agent/tls")))
        # The network of the pods, whose port the other nodes find open or not.
        self.flannel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.flannel.bind(("", FLANNEL))
        threading.Thread(target=self.echo, daemon=True).start()

    def echo(self) -> None:
        while True:
            data, address = self.flannel.recvfrom(1500)
            self.flannel.sendto(data, address)

    def handle_call(self, path: str, _: object, token: str) -> tuple[int, Any]:
        if not hmac.compare_digest(token, self.secret):
            return 401, {"message": "Unauthorized"}
        if path == "/healthz":
            return 200, "ok"
        if found := re.fullmatch(r"/pods/([\w-]+)/hostname", path):
            return 200, found[1]
        return 404, {"message": "not found"}

    def report(self) -> dict[str, str]:
        return {"name": self.settings["node-name"], "address": self.settings["node-ip"], "version": VERSION}


def agent(settings: dict[str, Any]) -> None:
    found = re.fullmatch(r"K10([0-9a-f]{64})::(?:server|node):(\w+)", settings["token"])
    if not found:
        raise Failed("invalid token format")
    digest, secret = found.groups()
    to = urllib.parse.urlsplit(settings["server"])
    if to.scheme != "https":
        raise Failed("only https:// URLs are supported, invalid scheme: " + settings["server"])
    kubelet, told = Kubelet(settings, secret), False
    while True:
        try:
            status, answer = ask(to.hostname, to.port or API, "/report", kubelet.report(), secret, digest)
            if status != 200:
                raise Failed(f"{answer['message']}: the server does not know this token")
            if not told:
                ready()
            told = True
        except OSError as error:
            print(
                f"failed to validate connection to cluster at {settings['server']}: {error}",
                file=sys.stderr,
                flush=True,
            )
        time.sleep(LOOK)
