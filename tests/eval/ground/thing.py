"""What both providers consist of: resources that cloud.py keeps."""

import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "lib"))
from tf import schema, types  # noqa: E402
from tf.iface import Provider, Resource  # noqa: E402

# How long a server may take to start, and the pause between two checks, in seconds.
START, LOOK = 300, 1

TEXT, FLAG, NUMBER, LABELS = types.String(), types.Bool(), types.Number(), types.Map(types.String())


def attribute(name, kind, *how, replace=False):
    return schema.Attribute(name, kind, **dict.fromkeys(how, True), **({"requires_replace": True} if replace else {}))


class Failed(Exception):
    """An error from the cloud."""


def call(method, path, body=None):
    """The resource, or None if it does not exist."""
    endpoint = (HERE / "endpoint").read_text().strip()
    token = os.environ.get("HCLOUD_TOKEN") or os.environ.get("AWS_SECRET_ACCESS_KEY") or ""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
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
    prefix = ""
    computed: Sequence[str] = ()

    def __init__(self, provider):
        self.provider = provider

    def state(self, planned, thing):
        """The planned values, and the resource's values where the plan has none."""
        known = {name: thing.get(name) if value is types.Unknown else value for name, value in planned.items()}
        return {**known, **{name: thing.get(name) for name in self.computed if known.get(name) is None}}

    def tell(self, ctx, error):
        ctx.diagnostics.add_error(f"{self.prefix}{self.get_name()}: {error}", "")

    def path(self, number=None):
        # A subnet's number has a slash.
        return "/".join([self.get_name(), *([urllib.parse.quote(str(number), safe="")] if number else [])])

    def sent(self, planned):
        """What the provider tells the cloud about a new resource."""
        return plain(planned)

    def create(self, ctx, planned):
        try:
            thing = call("POST", self.path(), self.sent(planned))
            deadline = time.monotonic() + START
            while thing["status"] == "initializing":
                if time.monotonic() > deadline:
                    raise Failed("the server does not start")
                time.sleep(LOOK)
                thing = call("GET", self.path(thing["id"]))
                if not thing:
                    raise Failed("the server was deleted while it started")
            if thing["status"] == "failed":
                raise Failed(thing.get("why") or "the server does not start")
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return None
        return self.state(planned, thing)

    def read(self, ctx, current):
        try:
            return dict(current) if call("GET", self.path(current["id"])) else None
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return dict(current)

    def update(self, ctx, current, planned):
        try:
            call("PUT", self.path(current["id"]), plain(planned))
        except (Failed, OSError) as error:
            self.tell(ctx, error)
            return current
        return self.state(planned, current)

    def delete(self, ctx, current):
        try:
            call("DELETE", self.path(current["id"]))
        except (Failed, OSError) as error:
            self.tell(ctx, error)

    def upgrade(self, ctx, version, old):
        return old


class Cloud(Provider):
    """A provider without settings that matter here."""

    def validate_config(self, diags, config):
        pass

    def configure_provider(self, diags, config):
        pass

    def get_data_sources(self):
        return []

    def new_resource(self, cls):
        return cls(self)

    def new_data_source(self, cls):
        return cls(self)
