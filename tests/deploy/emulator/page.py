"""The commands of a page, as its reader copies them: shell blocks, and commands in the text."""

import re
import subprocess
from collections.abc import Callable

# How a command in the text begins, as opposed to a mere mention of its name.
BEGINS = re.compile(r"(aws|sam|infra/[a-z-]+\.sh|output|resource) \S")
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`", re.DOTALL)


def runbooks(text: str, level: str) -> tuple[str, dict[str, list[str]]]:
    """The shell functions before a text's runbooks, and the commands under each one's title, in order. A title is a
    heading of this level."""
    before, *parts = re.split(rf"^{level} (.+)$", text, flags=re.MULTILINE)
    titles, bodies = parts[::2], parts[1::2]
    functions = "\n".join(block[2] for block in BLOCK.findall(before))
    return functions, {title: commands(body) for title, body in zip(titles, bodies, strict=True)}


def body(text: str, title: str) -> str:
    """The text of a section, up to the next one."""
    _, text = text.split(f"\n## {title}\n")
    text, *_ = re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)
    return text


def section(text: str, title: str) -> list[str]:
    """The commands in the blocks of a section that is not a runbook."""
    blocks = BLOCK.findall(body(text, title))
    return [command for block in blocks if block[1] == "sh" for command in split(block[2])]


def commands(body: str) -> list[str]:
    """The commands of one runbook: those in its blocks, and those in its text."""
    found, at = [], 0
    for block in BLOCK.finditer(body):
        found += spans(body[at : block.start()])
        if block[2] == "sh":
            found += split(re.sub(f"^{block[1]}", "", block[3], flags=re.MULTILINE))
        at = block.end()
    return found + spans(body[at:])


def spans(prose: str) -> list[str]:
    found = (" ".join(span.split()) for span in SPAN.findall(prose))
    return [span for span in found if BEGINS.match(span)]


def split(block: str) -> list[str]:
    """Splits a block into commands: a command ends where bash can parse the lines so far."""
    found, command = [], ""
    for line in block.splitlines():
        command += line + "\n"
        if line.strip() and not line.lstrip().startswith("#") and not line.endswith("\\") and whole(command):
            found.append(command.strip())
            command = ""
    assert not command.strip(), f"Bash cannot read {command}"
    return found


def whole(command: str) -> bool:
    # A value that the reader fills in is a word here, not a redirection.
    read = ["bash", "-n", "-c", filled(command, lambda name: "value")]
    return subprocess.run(read, capture_output=True, check=False).returncode == 0


def filled(command: str, value: Callable[[str], str]) -> str:
    """The command with each <name> replaced by its value."""
    return re.sub(r"<([A-Za-z](?:[\w ]*\w)?)>", lambda name: value(name[1]), command)
