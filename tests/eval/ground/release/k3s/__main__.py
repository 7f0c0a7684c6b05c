"""A stand-in for k3s, whose release on GitHub cannot be reached: `k3s server` (cluster.py), `k3s agent`
(node.py) and `k3s kubectl` (kubectl.py), packed into one file as the real program is one.

It reads the real settings and refuses those that do not exist, makes the token and the credentials with their modes,
lets in who has the token, applies the manifests of its folder, and has nodes with pods. Nodes speak over the network
with one another as those of Kubernetes do: an agent reaches the API over TLS at port 6443 and trusts the certificate
that its token names, and a node is ready only while the first server reaches its kubelet at port 10250. Pods are not
containers: each answers as the image `agnhost` of Kubernetes' tests does, whose `netexec` tells its name.
"""

import sys

from cluster import server
from kubectl import kubectl
from node import agent
from shared import SETTINGS, Failed, settings_of
from version import VERSION


def main(words: list[str]) -> None:
    match words:
        case ["server" | "agent" as kind]:
            (server if kind == "server" else agent)(settings_of(kind, SETTINGS / "config.yaml"))
        case ["kubectl", *rest] if rest:
            kubectl(rest)
        case ["--version" | "-v"]:
            print(f"k3s version {VERSION}")
        case _:
            raise Failed(f"No help topic for '{' '.join(words)}'")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failed as why:
        sys.exit(str(why))
