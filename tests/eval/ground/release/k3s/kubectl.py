"""The part of `kubectl` that the catalogue's files, steps and checks use."""

import argparse
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import yaml
from cluster import cluster_address
from shared import API, SETTINGS, Failed, ask


def state() -> dict[str, Any]:
    file = SETTINGS / "k3s.yaml"
    try:
        token = yaml.safe_load(file.read_text())["users"][0]["user"]["token"]
    except FileNotFoundError as error:
        raise Failed(
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?"
        ) from error
    except PermissionError as error:
        raise Failed(f'error loading config file "{file}": open {file}: permission denied') from error
    try:
        status, answer = ask("127.0.0.1", API, "/state", token=token)
    except OSError as error:
        raise Failed(
            f"The connection to the server 127.0.0.1:{API} was refused - did you specify the right host or port?"
        ) from error
    if status != 200:
        raise Failed("error: You must be logged in to the server (Unauthorized)")
    return answer


def seconds(text: str) -> float:
    found = re.fullmatch(r"(\d+)(s|m)", text)
    if not found:
        raise Failed(f'error: invalid argument "{text}" for "--timeout" flag: time: invalid duration')
    return int(found[1]) * {"s": 1, "m": 60}[found[2]]


def until(timeout: str, test: Callable[[dict[str, Any]], Any], late: str) -> None:
    deadline = time.monotonic() + seconds(timeout)
    while not (said := test(state())):
        if time.monotonic() > deadline:
            raise Failed(late)
        time.sleep(1)
    print(said)


def age(since: float) -> str:
    return f"{int(time.time() - since)}s"


def table(asked: argparse.Namespace, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [*([] if asked.no_headers else [heads]), *rows]
    for line in lines:
        print("   ".join(line))


def get(asked: argparse.Namespace, known: dict[str, Any]) -> None:
    kind, name = asked.words[0], asked.words[1] if len(asked.words) > 1 else None
    pods = [pod for pod in known["pods"] if asked.all_namespaces or pod["namespace"] == asked.namespace]
    if asked.selector:
        wanted = dict(pair.split("=", 1) for pair in asked.selector.split(","))
        pods = [pod for pod in pods if wanted.items() <= pod["labels"].items()]
    match kind:
        case "node" | "nodes":
            first = min(known["nodes"], key=lambda one: one["since"])["name"] if known["nodes"] else None
            table(
                asked,
                ("NAME", "STATUS", "ROLES", "AGE", "VERSION"),
                [
                    (
                        one["name"],
                        "Ready" if one["ready"] else "NotReady",
                        "control-plane" if one["name"] == first else "<none>",
                        age(one["since"]),
                        one["version"],
                    )
                    for one in known["nodes"]
                ],
            )
        case "pod" | "pods" if asked.output == "jsonpath={.items[*].metadata.name}":
            print(" ".join(pod["name"] for pod in pods), end="")
        case "pod" | "pods":
            space = (lambda pod: (pod["namespace"],)) if asked.all_namespaces else (lambda pod: ())
            table(
                asked,
                (*(["NAMESPACE"] if asked.all_namespaces else []), "NAME", "READY", "STATUS", "RESTARTS", "AGE"),
                [
                    (
                        *space(pod),
                        pod["name"],
                        "1/1" if pod["ready"] else "0/1",
                        "Running" if pod["ready"] else "Pending",
                        "0",
                        age(pod["since"]),
                    )
                    for pod in pods
                ],
            )
        case "service" | "services" | "svc" if asked.output == "jsonpath={.spec.clusterIP}":
            key = ("Service", asked.namespace, name)
            if not any((one["kind"], one["namespace"], one["name"]) == key for one in known["objects"]):
                raise Failed(f'Error from server (NotFound): services "{name}" not found')
            print(cluster_address(asked.namespace, str(name)), end="")
        case "events":
            print("No resources found")
        case _:
            raise Failed(f'error: this stand-in cannot get "{kind}" as {asked.output}')


def of_deployment(known: dict[str, Any], asked: argparse.Namespace, name: str) -> Any:
    one = next(
        (
            one
            for one in known["objects"]
            if (one["kind"], one["namespace"], one["name"]) == ("Deployment", asked.namespace, name)
        ),
        None,
    )
    if not one:
        raise Failed(f'Error from server (NotFound): deployments.apps "{name}" not found')
    ready_ones = [
        pod for pod in known["pods"] if pod["namespace"] == asked.namespace and pod["of"] == name and pod["ready"]
    ]
    return len(ready_ones) >= one["spec"].get("replicas", 1) and ready_ones


def run_in_pod(asked: argparse.Namespace, known: dict[str, Any]) -> None:
    """A command in a pod: whether a name of the cluster's DNS is reached."""
    if not of_deployment(known, asked, asked.words[0].removeprefix("deployment/")):
        raise Failed("error: no pod is running")
    program, what, *rest = asked.after
    [to] = [one for one in rest if not one.startswith("--")]
    found = re.fullmatch(r"([\w-]+)\.([\w-]+)\.svc\.cluster\.local:(\d+)", to)
    if program != "/agnhost" or what != "connect":
        raise Failed(f"error: exec: {program}: no such file or directory")
    dns = any(pod["of"] == "coredns" and pod["ready"] for pod in known["pods"])
    if (
        not found
        or not dns
        or not any(
            (one["kind"], one["namespace"], one["name"]) == ("Service", found[2], found[1])
            and one["spec"]["ports"][0]["port"] == int(found[3])
            for one in known["objects"]
        )
    ):
        raise Failed("DNS")


def kubectl(words: list[str]) -> None:
    before, _, after = " ".join(words).partition(" -- ")
    parser = argparse.ArgumentParser(prog="kubectl", allow_abbrev=False)
    for name in ("--no-headers", "--all", "--all-namespaces", "-A"):
        parser.add_argument(name, action="store_true")
    for name in ("--output", "--selector", "--timeout", "--for", "--sort-by"):
        parser.add_argument(name, default="")
    parser.add_argument("--namespace", "-n", default="default")
    parser.add_argument("words", nargs="+")
    asked = parser.parse_intermixed_args(before.split())
    asked.after, asked.all_namespaces = after.split(), asked.all_namespaces or asked.A
    command, *asked.words = asked.words
    match (command, asked.words):
        case ("get", [_, *_]):
            get(asked, state())
        case ("wait", ["node" | "nodes"]) if asked.all and getattr(asked, "for") == "condition=Ready":
            until(
                asked.timeout or "30s",
                lambda known: (
                    known["nodes"]
                    and all(one["ready"] for one in known["nodes"])
                    and "\n".join(f"node/{one['name']} condition met" for one in known["nodes"])
                ),
                "error: timed out waiting for the condition on nodes",
            )
        case ("rollout", ["status", what]):
            name = what.removeprefix("deployment/")
            until(
                asked.timeout or "60s",
                lambda known: of_deployment(known, asked, name) and f'deployment "{name}" successfully rolled out',
                "error: timed out waiting for the condition",
            )
        case ("exec", [_]) if asked.after:
            run_in_pod(asked, state())
        case _:
            raise Failed(f"error: this stand-in does not know kubectl {before}")
