"""Logins, roles and privileges of the stand-in for Elasticsearch."""

import base64
import fnmatch
import hashlib
import hmac
import json
import os
import pathlib
import threading
from collections.abc import Iterable
from typing import Any

# The shortest password that Elasticsearch accepts, in characters.
SHORTEST = 6
CLUSTER = {
    *("all", "none", "monitor", "manage", "manage_index_templates", "manage_ilm", "read_ilm", "manage_pipeline"),
    *(
        "read_pipeline",
        "manage_security",
        "read_security",
        "manage_ingest_pipelines",
        "manage_api_key",
        "manage_own_api_key",
    ),
    *("manage_slm", "read_slm", "monitor_snapshot", "create_snapshot", "manage_ml", "monitor_ml", "manage_transform"),
    *(
        "monitor_transform",
        "manage_watcher",
        "monitor_watcher",
        "manage_logstash_pipelines",
        "manage_token",
        "cancel_task",
    ),
    *(
        "manage_enrich",
        "monitor_enrich",
        "manage_service_account",
        "manage_user_profile",
        "monitor_stats",
        "manage_saml",
    ),
}
INDICES = {
    *("all", "none", "auto_configure", "create", "create_doc", "create_index", "delete", "delete_index", "index"),
    *(
        "maintenance",
        "manage",
        "manage_data_stream_lifecycle",
        "manage_ilm",
        "manage_follow_index",
        "manage_leader_index",
    ),
    *("monitor", "read", "read_cross_cluster", "view_index_metadata", "write", "cross_cluster_replication"),
}
# What a privilege includes beside itself.
INCLUDES = {
    "manage": (
        "monitor",
        "manage_index_templates",
        "manage_ilm",
        "read_ilm",
        "create_index",
        "delete_index",
        "auto_configure",
        "view_index_metadata",
        "maintenance",
    ),
    "manage_ilm": ("read_ilm",),
    "manage_security": ("read_security",),
    "write": ("index", "create", "create_doc", "delete"),
    "index": ("create", "create_doc"),
    "create": ("create_doc",),
    "create_index": ("auto_configure",),
}
ROLES = {
    "superuser": {"cluster": ["all"], "indices": [{"names": ["*"], "privileges": ["all"]}]},
    "kibana_system": {
        "cluster": ["monitor", "manage_index_templates"],
        "indices": [{"names": [".kibana*"], "privileges": ["all"]}],
    },
    "logstash_system": {"cluster": ["monitor"], "indices": []},
    "beats_system": {"cluster": ["monitor"], "indices": []},
    "viewer": {"cluster": [], "indices": [{"names": ["*"], "privileges": ["read", "view_index_metadata"]}]},
    "editor": {"cluster": [], "indices": [{"names": ["*"], "privileges": ["read", "view_index_metadata"]}]},
    "kibana_admin": {"cluster": [], "indices": []},
}
# Logins that exist from the start. Only their passwords can be changed.
RESERVED = {
    "elastic": "superuser",
    "kibana_system": "kibana_system",
    "logstash_system": "logstash_system",
    "beats_system": "beats_system",
}


class Refused(Exception):
    """The answer to a request that fails: its status, the kind of error and a sentence."""


def digest(password: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}:{password}".encode()).hexdigest()


def wrong(why: str) -> Refused:
    return Refused(400, "illegal_argument_exception", why)


def grants(given: Iterable[str], privilege: str) -> bool:
    """Whether the list of privileges includes this one."""
    reached = set()
    waiting = list(given)
    while waiting:
        one = waiting.pop()
        if one not in reached:
            reached.add(one)
            waiting += INCLUDES.get(one, ())
    return "all" in reached or privilege in reached


class Security:
    def __init__(self, data: pathlib.Path, elastic: str | None, enabled: bool = True) -> None:
        self.file, self.elastic, self.enabled, self.lock = data / "security.json", elastic, enabled, threading.Lock()
        self.kept: dict[str, dict[str, Any]] = {"users": {}, "passwords": {}, "roles": {}}
        if self.file.exists():
            self.kept = json.loads(self.file.read_text())

    def keep(self) -> None:
        part = self.file.with_suffix(".new")
        part.write_text(json.dumps(self.kept))
        part.rename(self.file)

    # The login of a request

    def user_of(self, header: str) -> dict[str, Any]:
        """The login's name and roles."""
        if not self.enabled:
            return {"username": "anonymous", "roles": ["superuser"]}
        kind, _, word = header.partition(" ")
        if not header:
            raise Refused(401, "security_exception", "missing authentication credentials for REST request")
        try:
            name, _, password = base64.b64decode(word).decode().partition(":")
        except ValueError as error:
            raise Refused(401, "security_exception", "failed to decode basic authentication header") from error
        if kind.lower() != "basic" or not self.is_right(name, password):
            raise Refused(401, "security_exception", f"unable to authenticate user [{name}] for REST request")
        user = self.kept["users"].get(name) or {"roles": [RESERVED[name]], "enabled": True}
        if not user.get("enabled", True):
            raise Refused(401, "security_exception", f"user [{name}] is disabled")
        return {"username": name, "roles": user["roles"]}

    def is_right(self, name: str, password: Any) -> bool:
        known = self.kept["passwords"].get(name)
        if known:
            return hmac.compare_digest(known["hash"], digest(password, known["salt"]))
        # Until its password is changed, this login has the one of the environment.
        own = self.elastic if name == "elastic" else None
        return bool(own) and hmac.compare_digest(password.encode(), str(own).encode())

    # Privileges

    def roles(self, user: dict[str, Any]) -> list[dict[str, Any]]:
        known = {**ROLES, **self.kept["roles"]}
        return [known[name] for name in user["roles"] if name in known]

    def need_cluster(self, user: dict[str, Any], privilege: str) -> None:
        if not any(grants(role.get("cluster", ()), privilege) for role in self.roles(user)):
            raise self.forbidden(user, f"the cluster privilege [{privilege}] is missing")

    def may(self, user: dict[str, Any], index: str, privilege: str) -> bool:
        rules = [rule for role in self.roles(user) for rule in role.get("indices", ())]
        return any(
            grants(rule["privileges"], privilege) and any(fnmatch.fnmatchcase(index, name) for name in rule["names"])
            for rule in rules
        )

    def need_somewhere(self, user: dict[str, Any], pattern: str, privilege: str) -> None:
        """Refuses a login that has the privilege for no index at all; otherwise a pattern finds less."""
        rules = [rule for role in self.roles(user) for rule in role.get("indices", ())]
        if not any(grants(rule["privileges"], privilege) for rule in rules):
            raise self.forbidden(user, f"on indices [{pattern}], the privilege [{privilege}] is missing")

    def forbidden(self, user: dict[str, Any], what: str) -> Refused:
        return Refused(
            403,
            "security_exception",
            f"action is unauthorized for user [{user['username']}] with effective roles "
            f"[{','.join(user['roles'])}], {what}",
        )

    # Requests

    def handle_call(self, method: str, path: list[str], user: dict[str, Any], given: dict[str, Any]) -> tuple[int, Any]:
        match (method, path):
            case ("GET", ["_authenticate"]):
                return 200, {**user, "enabled": True, "authentication_type": "realm"}
            case (_, ["user", name, "_password"]) if method in ("PUT", "POST"):
                self.need_cluster(user, "manage_security")
                return self.change_password(name, given)
            case (_, ["user", name]) if method in ("PUT", "POST"):
                self.need_cluster(user, "manage_security")
                return self.put_user(name, given)
            case ("GET", ["user", name]):
                self.need_cluster(user, "read_security")
                found = self.kept["users"].get(name) or (
                    name in RESERVED and {"roles": [RESERVED[name]], "enabled": True}
                )
                return (200, {name: {"username": name, **found}}) if found else (404, {})
            case (_, ["role", name]) if method in ("PUT", "POST"):
                self.need_cluster(user, "manage_security")
                return self.put_role(name, given)
            case ("GET", ["role", name]):
                self.need_cluster(user, "read_security")
                found = {**ROLES, **self.kept["roles"]}.get(name)
                return (200, {name: found}) if found else (404, {})
            case ("DELETE", [kind, name]) if kind in ("user", "role"):
                self.need_cluster(user, "manage_security")
                with self.lock:
                    found = self.kept[kind + "s"].pop(name, None) is not None
                    if kind == "user":
                        self.kept["passwords"].pop(name, None)
                    self.keep()
                return (200 if found else 404), {"found": found}
        raise Refused(400, "illegal_argument_exception", f"request [/_security/{'/'.join(path)}] is not known here")

    def set_password(self, name: str, password: Any) -> None:
        if not isinstance(password, str) or len(password) < SHORTEST:
            raise wrong(f"passwords must be at least [{SHORTEST}] characters long")
        salt = os.urandom(8).hex()
        self.kept["passwords"][name] = {"salt": salt, "hash": digest(password, salt)}

    def change_password(self, name: str, given: dict[str, Any]) -> tuple[int, Any]:
        if set(given) != {"password"}:
            raise wrong(f"expected the field [password], and got {sorted(given)}")
        if name not in RESERVED and name not in self.kept["users"]:
            raise Refused(404, "validation_exception", f"user must exist in order to change password: {name}")
        with self.lock:
            self.set_password(name, given["password"])
            self.keep()
        return 200, {}

    def put_user(self, name: str, given: dict[str, Any]) -> tuple[int, Any]:
        if name in RESERVED:
            raise wrong(f"user [{name}] is reserved and only the password can be changed")
        if unknown := set(given) - {"password", "roles", "full_name", "email", "metadata", "enabled"}:
            raise wrong(f"failed to parse add user request. unexpected field [{sorted(unknown)[0]}]")
        with self.lock:
            new = name not in self.kept["users"]
            if new or "password" in given:
                self.set_password(name, given.get("password"))
            self.kept["users"][name] = {"roles": given.get("roles", []), "enabled": given.get("enabled", True)}
            self.keep()
        return 200, {"created": new}

    def put_role(self, name: str, given: dict[str, Any]) -> tuple[int, Any]:
        if name in ROLES:
            raise wrong(f"role [{name}] is reserved and cannot be modified.")
        if unknown := set(given) - {
            "cluster",
            "indices",
            "applications",
            "run_as",
            "metadata",
            "global",
            "description",
        }:
            raise wrong(f"failed to parse role [{name}]. unexpected field [{sorted(unknown)[0]}]")
        for privilege in given.get("cluster", ()):
            if privilege not in CLUSTER:
                raise wrong(f"unknown cluster privilege [{privilege}]")
        for rule in given.get("indices", ()):
            if set(rule) - {
                "names",
                "privileges",
                "field_security",
                "query",
                "allow_restricted_indices",
            } or not rule.get("names"):
                raise wrong(f"failed to parse indices privileges for role [{name}]")
            for privilege in rule["privileges"]:
                if privilege not in INDICES:
                    raise wrong(f"unknown index privilege [{privilege}]")
        with self.lock:
            new = name not in self.kept["roles"]
            self.kept["roles"][name] = given
            self.keep()
        return 200, {"role": {"created": new}}
