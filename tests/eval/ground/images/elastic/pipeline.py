"""The language of Logstash's pipelines: sections of plugins with their settings.

Conditions are not a part of it here, and a plugin, a setting or a value that does not exist is refused, as in Logstash.
"""

import re
from collections.abc import Mapping
from typing import Any

COMMON_INPUT = {"add_field", "codec", "enable_metric", "id", "tags", "type"}
COMMON_OUTPUT = {"codec", "enable_metric", "id"}
COMMON_FILTER = {"add_field", "add_tag", "enable_metric", "id", "periodic_flush", "remove_field", "remove_tag"}
TEXT, NUMBER, FLAG, LIST, HASH = "string", "number", "boolean", "array", "hash"
# The settings of each plugin with their kinds; those in capitals must be there.
PLUGINS = {
    ("input", "beats"): {
        "PORT": NUMBER,
        "host": TEXT,
        "client_inactivity_timeout": NUMBER,
        "include_codec_tag": FLAG,
        "enrich": TEXT,
        "ecs_compatibility": TEXT,
        "executor_threads": NUMBER,
        "event_loop_threads": NUMBER,
    },
    ("output", "elasticsearch"): {
        "hosts": LIST,
        "user": TEXT,
        "password": TEXT,
        "index": TEXT,
        "ssl_enabled": FLAG,
        "ssl_verification_mode": TEXT,
        "ssl_certificate_authorities": LIST,
        "manage_template": FLAG,
        "data_stream": TEXT,
        "action": TEXT,
        "ilm_enabled": TEXT,
        "ecs_compatibility": TEXT,
        "document_id": TEXT,
        "timeout": NUMBER,
        "http_compression": FLAG,
        "retry_initial_interval": NUMBER,
        "retry_max_interval": NUMBER,
        "sniffing": FLAG,
    },
    ("filter", "mutate"): {"add_field": HASH, "remove_field": LIST, "rename": HASH},
}
COMMON = {"input": COMMON_INPUT, "output": COMMON_OUTPUT, "filter": COMMON_FILTER}
TOKEN = re.compile(
    r"""(?:\s|\#[^\n]*)*(?:
    (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<sign>=>|[{}\[\],])
  | (?P<number>-?\d+(?:\.\d+)?)(?![\w.])
  | (?P<word>[A-Za-z_][\w.-]*)
  | (?P<end>\Z)
)""",
    re.VERBOSE,
)


class Invalid(Exception):
    """The reason why a pipeline is refused."""


class Parser:
    def __init__(self, text: str, environment: Mapping[str, str]) -> None:
        self.text, self.environment, self.at = text, environment, 0
        self.tokens: list[tuple[str, str, int]] = []
        while not self.tokens or self.tokens[-1][0] != "end":
            found = TOKEN.match(text, self.at)
            if not found:
                raise Invalid(f"Expected a section, a setting or a value at line {text.count(chr(10), 0, self.at) + 1}")
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind], text.count("\n", 0, found.start(kind)) + 1))
            self.at = found.end()
        self.at = 0

    def next(self, *wanted: str) -> tuple[str, str]:
        kind, text, line = self.tokens[self.at]
        if wanted and text not in wanted and kind not in wanted:
            raise Invalid(f"Expected one of {', '.join(wanted)} at line {line}, and got {text or 'the end'}")
        self.at += kind != "end"
        return kind, text

    def sees(self, text: str) -> bool:
        return self.tokens[self.at][1] == text and self.tokens[self.at][0] != "text"

    def pipeline(self) -> list[tuple[str, str, dict[str, Any]]]:
        """The plugins in their order, each with its section, name and settings."""
        plugins = []
        while self.tokens[self.at][0] != "end":
            _, section = self.next("input", "filter", "output")
            self.next("{")
            while not self.sees("}"):
                _, name = self.next("word")
                plugins.append((section, name, self.settings()))
            self.next("}")
        return plugins

    def settings(self) -> dict[str, Any]:
        self.next("{")
        found = {}
        while not self.sees("}"):
            kind, name = self.next("word", "text")
            self.next("=>")
            if (name := self.plain(kind, name)) in found:
                raise Invalid(f"the setting {name} is there twice")
            found[name] = self.value()
        self.next("}")
        return found

    def value(self) -> Any:
        if self.sees("{"):
            return self.settings()
        if not self.sees("["):
            return self.plain(*self.next("text", "number", "word"))
        self.next("[")
        values = []
        while not self.sees("]"):
            values.append(self.value())
            if not self.sees("]"):
                self.next(",")
        self.next("]")
        return values

    def plain(self, kind: str, text: str) -> Any:
        if kind == "number":
            return float(text) if "." in text else int(text)
        if kind == "text":
            # Without `config.support_escapes`, a backslash is a backslash.
            return re.sub(r"\$\{(\w+)(?::([^}]*))?\}", self.variable, text[1:-1])
        return text

    def variable(self, found: re.Match[str]) -> str:
        value = self.environment.get(found[1], found[2])
        if value is None:
            raise Invalid(
                f"Cannot evaluate `{found[0]}`. Replacement variable `{found[1]}` is not defined in a Logstash "
                "secret store or as an Environment entry and there is no default value given."
            )
        return value


def fits(kind: str, value: object) -> bool:
    match kind:
        case "number":
            return isinstance(value, (int, float)) or str(value).isdigit()
        case "boolean":
            return value in ("true", "false")
        case "hash":
            return isinstance(value, dict)
        case "array":
            return not isinstance(value, dict)
    return not isinstance(value, (dict, list))


def read(text: str, environment: Mapping[str, str]) -> list[tuple[str, str, dict[str, Any]]]:
    """The plugins of a pipeline, checked."""
    plugins = Parser(text, environment).pipeline()
    for section, name, settings in plugins:
        known = PLUGINS.get((section, name))
        if known is None:
            raise Invalid(f"Couldn't find any {section} plugin named '{name}'.")
        kinds = {setting.lower(): kind for setting, kind in known.items()}
        for setting, value in settings.items():
            if setting not in kinds and setting not in COMMON[section]:
                raise Invalid(f"Unknown setting '{setting}' for {name}")
            if setting in kinds and not fits(kinds[setting], value):
                raise Invalid(f"Invalid setting for {name} {section} plugin: {setting} must be a {kinds[setting]}")
        for setting in known:
            if setting.isupper() and setting.lower() not in settings:
                raise Invalid(f"Missing a required setting for the {name} {section} plugin: {setting.lower()}")
    for section in ("input", "output"):
        if not any(one[0] == section for one in plugins):
            raise Invalid(f"the pipeline has no {section}")
    return plugins
