#!/usr/bin/python3
"""The parts of Hetzner's Terraform provider that configurations of servers use, in front of cloud.py.

The real provider is available only from Terraform's registry. The names and types of attributes are the real
provider's. Terraform refuses an attribute that is missing here, so a configuration that passes here has not invented
any.
"""

import pathlib
import sys
from typing import ClassVar

# In a sandbox, the files that both providers share lie beside Terraform's folder of plugins.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[6] / "ground"))
sys.dont_write_bytecode = True
from thing import FLAG, LABELS, NUMBER, TEXT, Cloud, Thing, attribute  # noqa: E402

from tf import schema, types  # noqa: E402
from tf.blocks import SetNestedBlock  # noqa: E402
from tf.iface import DataSource  # noqa: E402
from tf.runner import run_provider  # noqa: E402


class SshKey(Thing):
    prefix = "hcloud_"
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
    prefix = "hcloud_"
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
    prefix = "hcloud_"
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
                attribute("firewall_ids", types.Set(NUMBER), "optional", "computed"),
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


class Network(Thing):
    prefix = "hcloud_"
    computed = ("id",)

    @classmethod
    def get_name(cls):
        return "network"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("name", TEXT, "required"),
                attribute("ip_range", TEXT, "required", replace=True),
                attribute("labels", LABELS, "optional"),
                attribute("delete_protection", FLAG, "optional"),
                attribute("expose_routes_to_vswitch", FLAG, "optional"),
            ]
        )


class NetworkSubnet(Thing):
    prefix = "hcloud_"
    computed = ("id", "gateway")

    @classmethod
    def get_name(cls):
        return "network_subnet"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("network_id", NUMBER, "required", replace=True),
                attribute("type", TEXT, "required", replace=True),
                attribute("network_zone", TEXT, "required", replace=True),
                attribute("ip_range", TEXT, "required", replace=True),
                attribute("vswitch_id", NUMBER, "optional", replace=True),
                attribute("gateway", TEXT, "computed"),
            ]
        )


class ServerNetwork(Thing):
    prefix = "hcloud_"
    computed = ("id", "mac_address", "ip", "network_id")

    @classmethod
    def get_name(cls):
        return "server_network"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", TEXT, "computed"),
                attribute("server_id", NUMBER, "required", replace=True),
                attribute("network_id", NUMBER, "optional", "computed", replace=True),
                attribute("subnet_id", TEXT, "optional", replace=True),
                attribute("ip", TEXT, "optional", "computed", replace=True),
                attribute("alias_ips", types.Set(TEXT), "optional"),
                attribute("mac_address", TEXT, "computed"),
            ]
        )


class Location(DataSource):
    """The locations of Hetzner by their names, each with the zone of networks to which it belongs."""

    ZONES: ClassVar = {
        "nbg1": "eu-central",
        "fsn1": "eu-central",
        "hel1": "eu-central",
        "ash": "us-east",
        "hil": "us-west",
        "sin": "ap-southeast",
    }

    def __init__(self, provider):
        pass

    @classmethod
    def get_name(cls):
        return "location"

    @classmethod
    def get_schema(cls):
        return schema.Schema(
            attributes=[
                attribute("id", NUMBER, "optional", "computed"),
                attribute("name", TEXT, "optional", "computed"),
                attribute("network_zone", TEXT, "computed"),
            ]
        )

    def read(self, ctx, config):
        names = list(self.ZONES)
        if config.get("name") not in names:
            ctx.diagnostics.add_error(f"no location found with name {config.get('name')}", "")
            return None
        return {
            "id": names.index(config["name"]) + 1,
            "name": config["name"],
            "network_zone": self.ZONES[config["name"]],
        }


class Hcloud(Cloud):
    def get_model_prefix(self):
        return "hcloud_"

    def full_name(self):
        return "registry.terraform.io/hetznercloud/hcloud"

    def get_provider_schema(self, diags):
        return schema.Schema(attributes=[schema.Attribute("token", TEXT, optional=True, sensitive=True)])

    def get_resources(self):
        return [SshKey, Firewall, Server, Network, NetworkSubnet, ServerNetwork]

    def get_data_sources(self):
        return [Location]


if __name__ == "__main__":
    run_provider(Hcloud())
