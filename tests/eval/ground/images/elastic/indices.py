"""The indices of the stand-in for Elasticsearch, with the templates and the retention that apply to them.

Documents are kept as lines of JSON, one file for each index, so that they survive a restart of the container.
"""

import fnmatch
import json
import pathlib
import re
import threading
import time
import uuid
from typing import Any

from search import of_words, test_of
from security import Refused, Security

AGES = {"d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 0.001}
# The phases of a policy and the actions that each may have.
ACTIONS = {
    "hot": {
        "set_priority",
        "unfollow",
        "rollover",
        "readonly",
        "downsample",
        "shrink",
        "forcemerge",
        "searchable_snapshot",
    },
    "warm": {"set_priority", "unfollow", "readonly", "downsample", "allocate", "migrate", "shrink", "forcemerge"},
    "cold": {"set_priority", "unfollow", "readonly", "downsample", "searchable_snapshot", "allocate", "migrate"},
    "frozen": {"unfollow", "searchable_snapshot"},
    "delete": {"wait_for_snapshot", "delete"},
}
SETTINGS = {
    *(
        "number_of_shards",
        "number_of_replicas",
        "refresh_interval",
        "codec",
        "hidden",
        "priority",
        "auto_expand_replicas",
    ),
    *("lifecycle.name", "lifecycle.rollover_alias", "mapping.total_fields.limit", "default_pipeline", "final_pipeline"),
    *("query.default_field", "max_result_window", "sort.field", "sort.order", "mode"),
}
TEMPLATE = {
    "index_patterns",
    "template",
    "priority",
    "composed_of",
    "version",
    "_meta",
    "data_stream",
    "allow_auto_create",
}
# How many documents a search returns without `size`.
SIZE = 10


def wrong(why: str, kind: str = "illegal_argument_exception") -> Refused:
    return Refused(400, kind, why)


def flat(settings: dict[str, Any], above: str = "") -> dict[str, str | None]:
    """Settings by their full names, which all begin with `index.`."""
    found: dict[str, str | None] = {}
    for name, value in settings.items():
        found.update(flat(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value})
    return found if above else {f"index.{name.removeprefix('index.')}": str(value) for name, value in found.items()}


def checked(settings: dict[str, Any]) -> dict[str, str | None]:
    settings = flat(settings)
    for name in settings:
        if name.removeprefix("index.") not in SETTINGS:
            raise wrong(
                f"unknown setting [{name}] please check that any required plugins are installed, or check the "
                "breaking changes documentation for removed settings"
            )
    return settings


def age(text: object) -> float:
    """An age in a policy, in seconds."""
    found = re.fullmatch(r"(\d+)(d|h|m|s|ms)", str(text))
    if not found:
        raise wrong(
            f"failed to parse setting [min_age] with value [{text}] as a time value: unit is missing or unrecognized"
        )
    return int(found[1]) * AGES[found[2]]


class Indices:
    def __init__(self, data: pathlib.Path, security: Security) -> None:
        self.data, self.security, self.lock = data, security, threading.RLock()
        self.kept: dict[str, dict[str, Any]] = {"policies": {}, "templates": {}, "indices": {}}
        self.all: dict[str, dict[str, Any]] = {}
        self.documents: dict[str, dict[str, Any]] = {}
        if (data / "cluster.json").exists():
            self.kept = json.loads((data / "cluster.json").read_text())
        self.all = self.kept["indices"]
        for name, index in self.all.items():
            file = self.file(index)
            lines = file.read_text().splitlines() if file.exists() else []
            self.documents[name] = {one["_id"]: one["_source"] for one in map(json.loads, lines)}

    def file(self, index: dict[str, Any]) -> pathlib.Path:
        return self.data / f"{index['uuid']}.jsonl"

    def keep(self) -> None:
        part = self.data / "cluster.new"
        part.write_text(json.dumps(self.kept))
        part.rename(self.data / "cluster.json")

    def health(self) -> str:
        """A node on its own cannot hold a replica, so an index that wants one makes the cluster yellow."""
        replicas = [index["settings"].get("index.number_of_replicas", "1") for index in self.all.values()]
        return "yellow" if any(one != "0" for one in replicas) else "green"

    # Requests

    def handle_call(
        self, method: str, path: list[str], asked: dict[str, str], given: dict[str, Any], user: dict[str, Any]
    ) -> tuple[int, Any]:
        match (method, path):
            case (_, ["_ilm", "policy", name]):
                return self.policy(method, name, given, user)
            case (_, ["_index_template", name]):
                return self.template(method, name, given, user)
            case ("GET" | "POST", [*_, "_refresh"]):
                return 200, {"_shards": {"failed": 0}}
            case ("GET" | "POST", [*names, "_count" | "_search" as what]) if len(names) < 2:
                return self.search(names[0] if names else "*", what, asked, given, user)
            case ("GET", ["_cat", "indices", *names]):
                chosen = self.chosen(names[0] if names else "*", user, "monitor")
                return 200, [
                    {"index": name, "docs.count": str(len(self.documents[name])), "health": self.health()}
                    for name in chosen
                ]
            case (_, [name, "_doc" | "_create" as how, *rest]) if not name.startswith("_") and len(rest) < 2:
                return self.document(method, name, how, rest, given, user)
            case ("GET", [name]) if not name.startswith("_"):
                chosen = self.chosen(name, user, "view_index_metadata")
                if not chosen and "*" not in name:
                    raise Refused(404, "index_not_found_exception", f"no such index [{name}]")
                return 200, {one: {"settings": self.all[one]["settings"]} for one in chosen}
            case ("PUT", [name]) if not name.startswith("_"):
                self.need(user, name, "create_index")
                with self.lock:
                    if name in self.all:
                        raise wrong(f"index [{name}] already exists", "resource_already_exists_exception")
                    self.create(name, given.get("settings", {}))
                return 200, {"acknowledged": True, "index": name}
            case ("DELETE", [name]) if not name.startswith("_"):
                self.need(user, name, "delete_index")
                if name not in self.all:
                    raise Refused(404, "index_not_found_exception", f"no such index [{name}]")
                self.remove(name)
                return 200, {"acknowledged": True}
        raise wrong(f"no handler found for uri [/{'/'.join(path)}] and method [{method}]")

    def need(self, user: dict[str, Any], index: str, privilege: str) -> None:
        if not self.security.may(user, index, privilege):
            raise self.security.forbidden(user, f"on indices [{index}], the privilege [{privilege}] is missing")

    def chosen(self, pattern: str, user: dict[str, Any], privilege: str) -> list[str]:
        """The indices of a pattern that the login may use in this way."""
        self.security.need_somewhere(user, pattern, privilege)
        parts = pattern.split(",")
        if not any("*" in part for part in parts):
            for part in parts:
                self.need(user, part, privilege)
        return [
            name
            for name in sorted(self.all)
            if any(self.fits(name, part) for part in parts) and self.security.may(user, name, privilege)
        ]

    def fits(self, name: str, pattern: str) -> bool:
        return fnmatch.fnmatchcase(name, pattern) and (not name.startswith(".") or pattern.startswith("."))

    def policy(self, method: str, name: str, given: dict[str, Any], user: dict[str, Any]) -> tuple[int, Any]:
        self.security.need_cluster(user, "read_ilm" if method == "GET" else "manage_ilm")
        known = self.kept["policies"]
        if method == "PUT":
            phases = given.get("policy", {}).get("phases")
            if set(given) != {"policy"} or not isinstance(phases, dict):
                raise wrong("[put_lifecycle_request] Required [policy] with [phases]", "x_content_parse_exception")
            for phase, body in phases.items():
                if phase not in ACTIONS:
                    raise wrong(f"Timeseries lifecycle does not support phase [{phase}]")
                if strange := set(body.get("actions", {})) - ACTIONS[phase]:
                    raise wrong(f"invalid action [{sorted(strange)[0]}] defined in phase [{phase}]")
                age(body.get("min_age", "0ms"))
            with self.lock:
                known[name] = {"version": known.get(name, {}).get("version", 0) + 1, "policy": given["policy"]}
                self.keep()
            return 200, {"acknowledged": True}
        if name not in known:
            raise Refused(404, "resource_not_found_exception", f"Lifecycle policy not found: {name}")
        if method == "DELETE":
            users = [one for one, index in self.all.items() if index["settings"].get("index.lifecycle.name") == name]
            if users:
                raise wrong(f"Cannot delete policy [{name}]. It is in use by one or more indices: {users}")
            del known[name]
            self.keep()
            return 200, {"acknowledged": True}
        return 200, {name: known[name]}

    def template(self, method: str, name: str, given: dict[str, Any], user: dict[str, Any]) -> tuple[int, Any]:
        self.security.need_cluster(user, "manage_index_templates")
        known = self.kept["templates"]
        if method in ("PUT", "POST"):
            if unknown := set(given) - TEMPLATE:
                raise wrong(f"[index_template] unknown field [{sorted(unknown)[0]}]", "x_content_parse_exception")
            patterns = given.get("index_patterns")
            if not patterns:
                raise wrong("index patterns are missing", "action_request_validation_exception")
            for other, one in known.items():
                same = set(one["index_patterns"]) & set(patterns)
                if other != name and same and one.get("priority", 0) == given.get("priority", 0):
                    raise wrong(
                        f"index template [{name}] has index patterns {patterns} matching patterns from existing "
                        f"templates [{other}], multiple templates may not match during index creation"
                    )
            checked(given.get("template", {}).get("settings", {}))
            with self.lock:
                known[name] = given
                self.keep()
            return 200, {"acknowledged": True}
        if name not in known:
            raise Refused(404, "resource_not_found_exception", f"index template matching [{name}] not found")
        if method == "DELETE":
            del known[name]
            self.keep()
            return 200, {"acknowledged": True}
        return 200, {"index_templates": [{"name": name, "index_template": known[name]}]}

    # Indices and their documents

    def create(self, name: str, settings: dict[str, Any] | None = None) -> None:
        if name != name.lower() or name.startswith(("_", "-", "+")) or re.search(r'[\\/*?"<>| ,#:]', name):
            raise wrong(f"Invalid index name [{name}]", "invalid_index_name_exception")
        fitting = [
            one
            for one in self.kept["templates"].values()
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in one["index_patterns"])
        ]
        template: dict[str, Any] = max(fitting, key=lambda one: one.get("priority", 0), default={})
        own = {**checked(template.get("template", {}).get("settings", {})), **checked(settings or {})}
        self.all[name] = {"uuid": uuid.uuid4().hex, "created": time.time(), "settings": own}
        self.documents[name] = {}
        self.keep()

    def remove(self, name: str) -> None:
        with self.lock:
            self.file(self.all.pop(name)).unlink(missing_ok=True)
            del self.documents[name]
            self.keep()

    def expire(self, now: float) -> None:
        """Removes the indices whose policy deletes them at their age."""
        for name, index in list(self.all.items()):
            policy = self.kept["policies"].get(index["settings"].get("index.lifecycle.name"), {})
            phase = policy.get("policy", {}).get("phases", {}).get("delete")
            if phase and now - index["created"] >= age(phase.get("min_age", "0ms")):
                self.remove(name)

    def write(self, name: str, how: str, number: str | None, document: Any, user: dict[str, Any]) -> dict[str, Any]:
        """Writes one document; returns its item of the answer."""
        try:
            self.need(user, name, "create_doc" if how == "create" or not number else "index")
            if not isinstance(document, dict):
                raise wrong("a document is an object", "document_parsing_exception")
            with self.lock:
                if name not in self.all:
                    self.need(user, name, "auto_configure")
                    self.create(name)
                number = number or uuid.uuid4().hex
                exists = number in self.documents[name]
                if exists and how == "create":
                    raise Refused(409, "version_conflict_engine_exception", f"[{number}]: document already exists")
                self.documents[name][number] = document
                with open(self.file(self.all[name]), "a") as file:
                    file.write(json.dumps({"_id": number, "_source": document}) + "\n")
            return {
                "_index": name,
                "_id": number,
                "result": "updated" if exists else "created",
                "status": 200 if exists else 201,
            }
        except Refused as refused:
            status, kind, why = refused.args
            return {"_index": name, "_id": number, "status": status, "error": {"type": kind, "reason": why}}

    def bulk(self, path: list[str], body: bytes, user: dict[str, Any]) -> tuple[int, Any]:
        if not body.endswith(b"\n"):
            raise wrong("The bulk request must be terminated by a newline [\\n]")
        items, lines = [], iter(body.decode().splitlines())
        for line in lines:
            try:
                [(how, where)] = json.loads(line).items()
                document = json.loads(next(lines))
            except (ValueError, AttributeError, StopIteration) as error:
                raise wrong("Malformed action/metadata line") from error
            if how not in ("index", "create"):
                raise wrong(f"this stand-in does not know the bulk action [{how}]")
            index = where.get("_index") or (path[0] if path else None)
            if not index:
                raise wrong("index is missing", "action_request_validation_exception")
            items.append({how: self.write(index, how, where.get("_id"), document, user)})
        failed = any("error" in item for one in items for item in one.values())
        return 200, {"took": 1, "errors": failed, "items": items}

    def document(
        self, method: str, name: str, how: str, rest: list[str], given: dict[str, Any], user: dict[str, Any]
    ) -> tuple[int, Any]:
        number = rest[0] if rest else None
        if method in ("PUT", "POST"):
            item = self.write(name, "create" if how == "_create" else "index", number, given, user)
            if "error" in item:
                raise Refused(item["status"], item["error"]["type"], item["error"]["reason"])
            return item.pop("status"), item
        self.need(user, name, "read" if method == "GET" else "delete")
        found = self.documents.get(name, {}).get(number) if number else None
        if not number or found is None:
            return 404, {"_index": name, "_id": number, "found": False}
        if method == "DELETE":
            with self.lock:
                del self.documents[name][number]
                lines = [
                    json.dumps({"_id": one, "_source": source}) + "\n" for one, source in self.documents[name].items()
                ]
                self.file(self.all[name]).write_text("".join(lines))
            return 200, {"_index": name, "_id": number, "result": "deleted"}
        return 200, {"_index": name, "_id": number, "found": True, "_source": found}

    def search(
        self, pattern: str, what: str, asked: dict[str, str], given: dict[str, Any], user: dict[str, Any]
    ) -> tuple[int, Any]:
        if unknown := set(given) - (
            {"query"} if what == "_count" else {"query", "size", "sort", "track_total_hits", "_source"}
        ):
            raise wrong(f"unknown key [{sorted(unknown)[0]}]", "parsing_exception")
        names = self.chosen(pattern, user, "read")
        if "*" not in pattern and not names:
            raise Refused(404, "index_not_found_exception", f"no such index [{pattern}]")
        now = time.time()
        holds = of_words(asked["q"], now) if "q" in asked else test_of(given.get("query", {"match_all": {}}), now)
        with self.lock:
            all_of_them = [(name, number, one) for name in names for number, one in self.documents[name].items()]
        hits = [{"_index": name, "_id": number, "_source": one} for name, number, one in all_of_them if holds(one)]
        if what == "_count":
            return 200, {"count": len(hits), "_shards": {"total": len(names), "failed": 0}}
        size = int(asked.get("size", given.get("size", SIZE)))
        return 200, {
            "took": 1,
            "timed_out": False,
            "hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits[:size]},
        }
