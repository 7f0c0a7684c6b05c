"""The stand-in cloud and its providers, for tests: the cloud serves on this machine, and a home has the providers."""

import contextlib
import http.server
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import tempfile
import threading
import unittest
from typing import Any
from unittest import mock

GROUND = pathlib.Path(__file__).resolve().parents[1]
ROOT = GROUND.parents[2]
SECRET, OWN = "the owner's secret", "the word of ground.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(GROUND))


def loaded(name: str, file: pathlib.Path) -> Any:
    loader = importlib.machinery.SourceFileLoader(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec, f"{file} cannot be loaded"
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Context:
    """What Terraform's library hands to a provider: the errors that it reports."""

    def __init__(self) -> None:
        self.diagnostics = self
        self.errors: list[str] = []

    def add_error(self, summary: str, _: object) -> None:
        self.errors.append(summary)


class Running(unittest.TestCase):
    """A cloud of its own for each test."""

    def setUp(self) -> None:
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            stack.enter_context(mock.patch.object(sys, "argv", ["cloud.py", SECRET, OWN, str(folder)]))
            self.cloud = loaded("cloud", GROUND / "cloud.py")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.cloud.Cloud)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.address = f"http://127.0.0.1:{server.server_address[1]}"
            self.addCleanup(stack.pop_all().close)

    def provider(self, name: str, secret: str = SECRET) -> Any:
        """A provider as the home of a sandbox has it."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        shared = pathlib.Path(temporary.name) / ".terraform.d/ground"
        own = pathlib.Path(temporary.name) / f".terraform.d/plugins/registry/owner/{name}/1/linux/provider.py"
        for folder in (shared, own.parent):
            folder.mkdir(parents=True)
        for file in (GROUND / "thing.py", GROUND / "managed.py", ROOT / "shared/gate/src/check/schemas/aws.txt"):
            (shared / file.name).write_bytes(file.read_bytes())
        (shared / "endpoint").write_text(self.address)
        variable = {"aws": "AWS_SECRET_ACCESS_KEY", "hcloud": "HCLOUD_TOKEN"}[name]
        change = mock.patch.dict(os.environ, {variable: secret})
        change.start()
        self.addCleanup(change.stop)
        for module in ("thing", "managed"):
            sys.modules.pop(module, None)
        own.write_bytes((GROUND / f"{name}.py").read_bytes())
        return loaded(name, own)

    def made(self, provider: Any, kind: str, **values: object) -> tuple[Any, list[str]]:
        """The state of a new resource, and the errors of making it."""
        cls = next(one for one in self.resources(provider) if one.get_name() == kind)
        planned = {one.name: None for one in cls.get_schema().attributes} | values
        context = Context()
        return cls(None).create(context, planned), context.errors

    def resources(self, provider: Any) -> list[Any]:
        main = provider.Aws() if hasattr(provider, "Aws") else provider.Hcloud()
        return main.get_resources()
