#!/usr/bin/python3
"""The parts of Hetzner's Terraform provider that configurations of servers use, in front of cloud.py.

The real provider is available only from Terraform's registry. The names and types of attributes are the real provider's.
Terraform refuses an attribute that is missing here, so a configuration that passes here has not invented any.
"""

import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "lib"))
sys.dont_write_bytecode = True
from tf import schema, types  # noqa: E402
from tf.blocks import SetNestedBlock  # noqa: E402
from tf.iface import Provider, Resource  # noqa: E402
from tf.runner import run_provider  # noqa: E402

# How long a server may take to start, and the pause between two checks, in seconds.
START, LOOK = 300, 1

TEXT, FLAG, LABELS = types.String(), types.Bool(), types.Map(types.String())


def attribute(name, kind, *how, replace=False):
    return schema.Attribute(name, kind, **{word: True for word in how}, **({"requires_replace": True} if replace else {}))


class Failed(Exception):
    """An error from the cloud."""


def call(method, path, body=None):
    """The resource, or None if it does not exist."""
    endpoint = (HERE / "endpoint").read_text().strip()
    headers = {"authorization": f"Bearer {os.environ.get('HCLOUD_TOKEN', '')}", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(f"{endpoint}/{path}", data, headers, method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise Failed(json.load(error)["error"]["message"]) from error


def plain(value):
    """A value of the plan as JSON, without the parts that are not known yet."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not types.Unknown}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Thing(Resource):
    computed = {}

    def __init__(self, provider):
        self.provider = provider

    def state(self, planned, thing):
        """The planned values, and the resource's values where the plan has none."""
        known = {name: thing.get(name) if value is types.Unknown else value for name, value in planned.items()}
        return {**known, **{name: thing.get(name) for name in self.computed if known.get(name) is None}}

    def tell(self, ctx, error):
        ctx.diagnostics.add_error(f"hcloud_{self.get_name()}: {error}", "")

    def create(self, ctx, planned):
        try:
            thing = call("POST", self.get_name(), plain(planned))
            deadline = time.monotonic() + START
            while self.get_name() == "server" and thing["status"] != "running":
                if thing["status"] == "failed" or time.monotonic() > deadline:
                    raise Failed(thing.get("why") or "the server does not start")
                time.sleep(LOOK)
                thing = call("GET", f"server/{thing['id']}")
                if not thing:
                    raise Failed("the server was deleted while it started")
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return None
        return self.state(planned, thing)

    def read(self, ctx, current):
        try:
            return dict(current) if call("GET", f"{self.get_name()}/{current['id']}") else None
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return dict(current)

    def update(self, ctx, current, planned):
        try:
            call("PUT", f"{self.get_name()}/{current['id']}", plain(planned))
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return current
        return self.state(planned, current)

    def delete(self, ctx, current):
        try:
            call("DELETE", f"{self.get_name()}/{current['id']}")
        except (Failed, OSError) as error:
            self.tell(ctx, error)

    def upgrade(self, ctx, version, old):
        return old


class SshKey(Thing):
    computed = ("id", "fingerprint")

    @classmethod
    def get_name(cls):
        return "ssh_key"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("name", TEXT, "required"),
                attribute("public_key", TEXT, "required", replace=True),
                attribute("labels", LABELS, "optional"),
                attribute("fingerprint", TEXT, "computed"),
            ]
        )


class Firewall(Thing):
    computed = ("id",)

    @classmethod
    def get_name(cls):
        return "firewall"

    @classmethod
    def get_schema(cls):
        rule = [
            attribute("direction", TEXT, "required"),
            attribute("protocol", TEXT, "optional"),
            attribute("port", TEXT, "optional"),
            attribute("source_ips", types.Set(TEXT), "optional"),
            attribute("destination_ips", types.Set(TEXT), "optional"),
            attribute("description", TEXT, "optional"),
        ]
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("name", TEXT, "optional"),
                attribute("labels", LABELS, "optional"),
            ],
            block_types=[SetNestedBlock("rule", schema.Block(attributes=rule))],
        )


class Server(Thing):
    computed = ("id", "ipv4_address", "ipv6_address", "status", "location")

    @classmethod
    def get_name(cls):
        return "server"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("name", TEXT, "required"),
                attribute("server_type", TEXT, "required"),
                attribute("image", TEXT, "optional", replace=True),
                attribute("location", TEXT, "optional", "computed", replace=True),
                attribute("user_data", TEXT, "optional", replace=True),
                attribute("ssh_keys", types.List(TEXT), "optional", replace=True),
                attribute("firewall_ids", types.Set(types.Number()), "optional", "computed"),
                attribute("labels", LABELS, "optional"),
                attribute("backups", FLAG, "optional"),
                attribute("delete_protection", FLAG, "optional"),
                attribute("rebuild_protection", FLAG, "optional"),
                attribute("keep_disk", FLAG, "optional"),
                attribute("ipv4_address", TEXT, "computed"),
                attribute("ipv6_address", TEXT, "computed"),
                attribute("status", TEXT, "computed"),
            ]
        )


class Hcloud(Provider):
    def get_model_prefix(self):
        return "hcloud_"

    def full_name(self):
        return "registry.terraform.io/hetznercloud/hcloud"

    def get_provider_schema(self, diags):
        return schema.Schema(attributes=[schema.Attribute("token", TEXT, optional=True, sensitive=True)])

    def validate_config(self, diags, config):
        pass

    def configure_provider(self, diags, config):
        pass

    def get_data_sources(self):
        return []

    def get_resources(self):
        return [SshKey, Firewall, Server]

    def new_resource(self, cls):
        return cls(self)


if __name__ == "__main__":
    run_provider(Hcloud())
