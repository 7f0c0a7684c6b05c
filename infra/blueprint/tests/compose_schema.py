"""Checks Compose files against what our projects use of the format: no key may be misspelled.

For machines without Docker Compose; where it is available, the tests use its own `config`.
"""

import sys

import jsonschema
import yaml

STRINGS = {"type": "array", "items": {"type": "string"}}
STRING_OR_LIST = {"anyOf": [{"type": "string"}, STRINGS]}
MAP_OR_LIST = {"anyOf": [{"type": "object"}, STRINGS]}
HEALTHCHECK = {
    "type": "object",
    "required": ["test"],
    "additionalProperties": False,
    "properties": {
        "test": STRING_OR_LIST,
        "interval": {"type": "string", "pattern": r"^\d+(ms|s|m)$"},
        "timeout": {"type": "string", "pattern": r"^\d+(ms|s|m)$"},
        "start_period": {"type": "string", "pattern": r"^\d+(ms|s|m)$"},
        "retries": {"type": "integer"},
    },
}
SERVICE = {
    "type": "object",
    "required": ["image"],
    "additionalProperties": False,
    "properties": {
        "image": {"type": "string", "pattern": r":[^:/]+$", "not": {"pattern": ":latest$"}},
        "cap_add": STRINGS,
        "cap_drop": STRINGS,
        "command": STRING_OR_LIST,
        "container_name": {"type": "string"},
        "depends_on": MAP_OR_LIST,
        "entrypoint": STRING_OR_LIST,
        "environment": MAP_OR_LIST,
        "expose": STRINGS,
        "extra_hosts": STRINGS,
        "healthcheck": HEALTHCHECK,
        "hostname": {"type": "string"},
        "init": {"type": "boolean"},
        "mem_limit": {"type": "string", "pattern": r"^\d+[mg]$"},
        "network_mode": {"enum": ["host", "none"]},
        "networks": STRINGS,
        "pid": {"const": "host"},
        "ports": STRINGS,
        "read_only": {"type": "boolean"},
        "restart": {"enum": ["no", "always", "on-failure", "unless-stopped"]},
        "security_opt": STRINGS,
        "stop_grace_period": {"type": "string"},
        "tmpfs": STRING_OR_LIST,
        "ulimits": {"type": "object"},
        "user": {"type": "string"},
        "volumes": STRINGS,
        "working_dir": {"type": "string"},
    },
}
PROJECT = {
    "type": "object",
    "required": ["services"],
    "additionalProperties": False,
    "patternProperties": {"^x-": {}},
    "properties": {
        "name": {"type": "string"},
        "services": {"type": "object", "minProperties": 1, "additionalProperties": SERVICE},
        "volumes": {"type": "object"},
        "networks": {"type": "object"},
    },
}

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        jsonschema.validate(yaml.safe_load(file), PROJECT)
