#!/usr/bin/python3
"""The resources of AWS's Terraform provider, in front of cloud.py.

The real provider is available only from Terraform's registry. Types, blocks and attributes are read from the gate's
table of the real provider (`aws.txt`), so a configuration that passes here has invented none. The cloud keeps a
resource as it was written and gives it an identifier; instances become servers, and buckets and distributions serve a
site. So this shows that a configuration can be planned, applied, repeated and destroyed, and not that AWS would accept
every value.
"""

import functools
import json
import pathlib
import sys
from typing import ClassVar

# In a sandbox, the files that both providers share lie beside Terraform's folder of plugins.
SHARED = pathlib.Path(__file__).resolve().parents[6] / "ground"
sys.path.insert(0, str(SHARED))
sys.dont_write_bytecode = True
from thing import FLAG, LABELS, NUMBER, TEXT, Cloud, Thing, attribute  # noqa: E402

from tf import schema, types  # noqa: E402
from tf.gen.tfplugin_pb2 import Schema as Wire  # noqa: E402
from tf.iface import DataSource  # noqa: E402
from tf.runner import run_provider  # noqa: E402
from tf.schema import NestedBlock  # noqa: E402

from managed import CACHE  # noqa: E402

PREFIX = "aws_"
KINDS = {"#": NUMBER, "?": FLAG, "*": types.List(TEXT), "%": LABELS}
# Attributes that the provider chooses if the configuration does not.
CHOSEN = {
    "instance": ("availability_zone", "private_ip"),
    "key_pair": ("key_name",),
    "security_group": ("name",),
    "subnet": ("availability_zone",),
}
# Attributes whose change makes a new resource.
REPLACED = {
    "instance": ("ami", "subnet_id", "key_name"),
    "key_pair": ("public_key",),
    "security_group": ("name", "name_prefix", "vpc_id", "description"),
    "subnet": ("vpc_id", "cidr_block"),
    "vpc": ("cidr_block",),
    "vpc_security_group_egress_rule": ("security_group_id",),
    "vpc_security_group_ingress_rule": ("security_group_id",),
}


class Anything:
    """The type of a value that only AWS knows. Terraform does not look into it before there is one."""

    def tf_type(self):
        return b'"dynamic"'

    def encode(self, value):
        return None

    decode = encode

    def semantically_equal(self, a_decoded, b_decoded):
        return a_decoded == b_decoded


class Blocks(NestedBlock):
    """Blocks in their order, which the library has only as sets."""

    _mode_map: ClassVar = {"list": Wire.NestedBlock.NestingMode.LIST}

    def __init__(self, name, block):
        super().__init__(name, "list", block)

    def encode(self, value):
        return [self.each(one, lambda kind: kind.encode) for one in value]

    def decode(self, value):
        return [self.each(one, lambda kind: kind.decode) for one in value]

    def each(self, values, way):
        kinds = {**{name: one.type for name, one in self._amap().items()}, **self._bmap()}
        return {
            name: one if one is None or one is types.Unknown else way(kinds[name])(one) for name, one in values.items()
        }

    def semantically_equal(self, a_decoded, b_decoded):
        return a_decoded == b_decoded


@functools.cache
def table():
    """The fields of each type and block, by its path."""
    found: dict[str, tuple] = {}
    above: list[str] = []
    for line in (SHARED / "aws.txt").read_text().splitlines():
        text = line.lstrip(" ")
        del above[len(line) - len(text) :]
        name, same, other = text.partition(" = ")
        if not same:
            name, _, fields = text.partition(":")
        above.append(name)
        found[".".join(above)] = ("=", other) if same else (":", fields.split())
    return found


def read(path, chosen=(), replaced=(), source=False):
    """The block at this path of the table, as Terraform's protocol has it."""
    at = path
    while table()[at][0] == "=":
        at = table()[at][1]
    attributes, blocks = [], []
    for word in table()[at][1]:
        name = word.rstrip("!~#?*%{=@")
        signs = word[len(name) :]
        if set(signs) & set("{=") and "~" not in signs and f"{at}.{name}" in table():
            blocks.append(Blocks(name, read(f"{at}.{name}")))
        elif "=" in signs and "~" in signs:
            attributes.append(attribute(name, Anything(), "computed"))
        elif not set(signs) & set("{=@"):
            kind = next((KINDS[sign] for sign in signs if sign in KINDS), TEXT)
            if "!" in signs:
                how = ["required"]
            elif "~" in signs:
                how = ["computed"]
            else:
                how = ["optional", "computed"] if source or name in chosen else ["optional"]
            attributes.append(attribute(name, kind, *how, replace=name in replaced))
    return schema.Block(attributes=attributes, block_types=blocks)


def typed(path, computed, **more):
    block = read(path, **more)
    names = {one.name for one in block.attributes}
    own = [attribute(name, TEXT, "computed") for name in computed if name not in names]
    return schema.Schema(attributes=[*block.attributes, *own], block_types=block.block_types)


def resource(name):
    class Kept(Thing):
        prefix = PREFIX

        @classmethod
        def get_name(cls):
            return name

        @classmethod
        @functools.cache
        def get_schema(cls):
            return typed(PREFIX + name, ["id"], chosen=CHOSEN.get(name, ()), replaced=REPLACED.get(name, ()))

        @property
        def computed(self):  # type: ignore[override]  # the base has a list of its own instead
            return [one.name for one in self.get_schema().attributes if one.computed]

        def sent(self, planned):
            """A resource lies in the region of its provider unless it names another."""
            region = planned.get("region") or getattr(self.provider, "region", None)
            return {**super().sent(planned), **({"region": region} if isinstance(region, str) else {})}

        def path(self, number=None):
            return PREFIX + super().path(number)

    return Kept


def single(values):
    """A list as policies write it: one value stands alone."""
    values = list(values)
    return values[0] if len(values) == 1 else sorted(values)


def statement(block):
    """A statement of a policy as AWS reads it."""
    found: dict = {"Sid": block.get("sid") or "", "Effect": block.get("effect") or "Allow"}
    for name in ("actions", "not_actions", "resources", "not_resources"):
        if block.get(name):
            found["".join(part.capitalize() for part in name.split("_"))[:-1]] = single(block[name])
    principals = block.get("principals") or []
    if any(one["type"] == "*" for one in principals):
        found["Principal"] = "*"
    elif principals:
        found["Principal"] = {one["type"]: single(one["identifiers"]) for one in principals}
    for one in block.get("condition") or []:
        found.setdefault("Condition", {}).setdefault(one["test"], {})[one["variable"]] = single(one["values"])
    return found


def known(name, config):
    """What AWS's provider works out for a data source, as far as that is more than what was asked for."""
    if name == "iam_policy_document":
        document = {
            "Version": config.get("version") or "2012-10-17",
            "Statement": [statement(one) for one in config.get("statement") or []],
        }
        return {"json": json.dumps(document, indent=2), "minified_json": json.dumps(document, separators=(",", ":"))}
    if name == "cloudfront_cache_policy" and config.get("name"):
        return {"id": CACHE[config["name"]][0]}
    return {}


def data_source(name):
    class Known(DataSource):
        def __init__(self, provider):
            pass

        @classmethod
        def get_name(cls):
            return name

        @classmethod
        @functools.cache
        def get_schema(cls):
            return typed(f"data.{PREFIX}{name}", ["id"], source=True)

        def read(self, ctx, config):
            """What was asked for, with an identifier and what the provider works out."""
            try:
                more = known(name, config)
            except KeyError as missing:
                ctx.diagnostics.add_error(f"no matching {PREFIX}{name}: {missing}", "")
                return None
            return {**config, "id": config.get("id") or f"{name}-0123456789abcdef0", **more}

    return Known


class Aws(Cloud):
    def get_model_prefix(self):
        return PREFIX

    def full_name(self):
        return "registry.terraform.io/hashicorp/aws"

    def get_provider_schema(self, diags):
        names = ("access_key", "profile", "region", "secret_key", "token")
        tags = schema.Block(attributes=[attribute("tags", LABELS, "optional")])
        settings = [attribute(name, TEXT, "optional") for name in names]
        return schema.Schema(settings, block_types=[Blocks("default_tags", tags)])

    def configure_provider(self, diags, config):
        self.region = config.get("region")

    def names(self, start):
        names = [path.removeprefix(start) for path in table() if path.startswith(start)]
        return [name for name in names if "." not in name]

    def get_resources(self):
        return [resource(name) for name in self.names(PREFIX)]

    def get_data_sources(self):
        return [data_source(name) for name in self.names(f"data.{PREFIX}")]


if __name__ == "__main__":
    run_provider(Aws())
