"""Runs the commands of docs/operations.md and docs/runbooks.md as written, runbook by runbook, and checks what they do.

The pages' own functions (`output`, `resource`) come first, and a <name> of a page gets the value that `stories.py`
finds. Some programs are simulated: see `played`. A command that the emulator does not support must fail, so that the
list of such commands stays current.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable

import page
import stack
import stories
from engine import Engine

# The beginnings of commands that the emulator does not support, each with the reason.
LACKING = {
    "aws sqs start-message-move-task": "its SQS moves no messages back from a dead-letter queue",
    "aws service-quotas": "it has no Service Quotas",
    "aws cloudformation deploy": "it accepts the logs of the firewall and of CloudFront only in a nested stack",
    "aws cloudformation continue-update-rollback": "its rollbacks never fail",
}
# The beginnings of commands outside AWS, each with the reason why it does not run.
ELSEWHERE = {
    "git ": "it would change this copy of the repository",
}
# The sections with commands that are not runbooks. The first one sets a stack up.
SECTIONS = DEPLOYING, _ = "Deploying", "What the stack includes"
# The section of docs/operations.md with runbooks.
MAINTENANCE = "Maintenance"
# The runbook that deletes the stack.
LAST = "Tearing down"
# How long a runbook may take, in seconds.
PATIENCE = 600


def beginning(command: str, known: Iterable[str]) -> str | None:
    """The entry of a list with which the command begins, if any."""
    return next((begin for begin in known if command.startswith(begin)), None)


class Runbooks:
    """The runbooks, over one deployment."""

    def __init__(self, operator: stack.Operator, engine: Engine, root: pathlib.Path, work: pathlib.Path) -> None:
        self.operator, self.folder = operator, work / "runbooks"
        text = (root / "docs/operations.md").read_text()
        self.functions, trouble = page.runbooks((root / "docs/runbooks.md").read_text(), "##")
        _, maintenance = page.runbooks(page.body(text, MAINTENANCE), "###")
        self.commands = {title: page.section(text, title) for title in SECTIONS} | trouble | maintenance
        self.complaints: list[str] = []
        shutil.rmtree(self.folder, ignore_errors=True)
        self.tree(root)
        self.played(engine, root)

    def tree(self, root: pathlib.Path) -> None:
        """The parts of the repository that the commands use. The commands write files next to them."""
        shutil.copytree(root / "infra/edge", self.folder / "infra/edge")
        for script in (root / "infra").glob("*.sh"):
            shutil.copy(script, self.folder / "infra")
        (self.folder / "infra/sandbox").mkdir()
        for file in filter(pathlib.Path.is_file, (root / "infra/sandbox").iterdir()):
            shutil.copy(file, self.folder / "infra/sandbox")
        assets = self.folder / "web/dist/assets"
        assets.mkdir(parents=True)
        (assets / "index-0.js").write_text("// The web application\n")
        (assets.parent / "index.html").write_text("<title>Groundcrew</title>\n")

    def played(self, engine: Engine, root: pathlib.Path) -> None:
        """SAM would build everything for Lambda: here it deploys what is already packed. npm would build the web
        application, which the section `web` does. Docker gets the images that are available here to build from. And the
        AWS CLI gets the emulator's address on the command line: otherwise version 1 would use AWS's own address for
        SQS."""
        bin = self.folder / "bin"
        bin.mkdir()
        here = pathlib.Path(__file__).parent
        deploy = f"exec {sys.executable} {here / 'operate.py'} {self.operator.endpoint} update"
        sam = f'[ "$1" = build ] && exit\nshift\ncase ${{1-}} in --*) shift ;; esac\n{deploy} "$@"\n'
        build = " ".join(f"'{word}'" for word in engine.build_arguments(root))
        program = shutil.which(engine.program)
        # A story names a release of the image; another label gives another digest.
        labeled = 'if [ -e release ]; then set -- --label "release=$(cat release)" "$@"; fi'
        docker = f'if [ "$1" = build ]; then shift; {labeled}; set -- build {build} "$@"; fi\nexec {program} "$@"\n'
        aws = f'exec {pathlib.Path(sys.executable).with_name("aws")} --endpoint-url {self.operator.endpoint} "$@"\n'
        for name, script in [("sam", sam), ("npm", "exit\n"), ("docker", docker), ("aws", aws)]:
            (bin / name).write_text(f"#!/bin/sh\n{script}")
            (bin / name).chmod(0o755)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        self.environment.update(
            AWS_ENDPOINT_URL=self.operator.endpoint,
            AWS_DEFAULT_REGION=stack.REGION,
            NO_PROXY="*",
            AWS_ACCESS_KEY_ID=stack.OPERATOR,
            AWS_SECRET_ACCESS_KEY=stack.OPERATOR,
            DOCKER_HOST=engine.address,
            DOCKER_CONFIG=str(self.folder / "docker"),
            PYTHONDONTWRITEBYTECODE="1",
            PATH=f"{bin}:{os.environ['PATH']}",
        )

    def run(self, title: str) -> bool:
        """Runs one runbook; returns whether it did what it says."""
        since = time.monotonic()
        story = stories.STORIES.get(title, stories.Story)(self.operator)
        commands = [command for command in self.commands[title] if not beginning(command, ELSEWHERE)]
        shell = [self.functions, story.before]
        for number, command in enumerate(commands):
            shell += [*story.meanwhile(command), self.step(number, command, story)]
        script = "set -euo pipefail\n" + "\n".join(shell)
        said = self.folder / "said"
        failure = None
        with open(said, "w") as output:
            try:
                if subprocess.run(
                    ["bash", "-c", script],
                    cwd=self.folder,
                    env=self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    check=False,
                    timeout=PATIENCE,
                ).returncode:
                    failure = "fails"
            except subprocess.TimeoutExpired:
                failure = f"does not end within {PATIENCE} s"
        complaints = []
        if failure:
            at = int((self.folder / "at").read_text())
            last = "".join(f"\n      {line}" for line in said.read_text().splitlines()[-8:])
            complaints.append(f"{failure} at `{commands[at]}`:{last}")
        else:
            complaints += story.check(self.printed(len(commands)))
        complaints += [f"`{commands[n]}` works but should fail" for n in range(len(commands)) if self.works(n)]
        for file in self.folder.glob("[0-9]*"):
            file.unlink()
        print(f"    {title}: {len(commands)} commands in {time.monotonic() - since:.0f} s", flush=True)
        for complaint in complaints:
            print(f"      {complaint}", flush=True)
        self.complaints += complaints
        return not complaints

    def step(self, number: int, command: str, story: stories.Story) -> str:
        """Runs a command, with its output in a separate file."""
        command = page.filled(command, story.value)
        if beginning(command, [*LACKING, *story.refused]):
            return f"echo {number} >at\nif (\n{command}\n) >&2; then echo >{number}.works; fi"
        return f"echo {number} >at\n{{\n{command}\n}} >{number}"

    def printed(self, count: int) -> list[str]:
        """The output of each command."""
        files = (self.folder / str(number) for number in range(count))
        return [file.read_text() if file.exists() else "" for file in files]

    def works(self, number: int) -> bool:
        return (self.folder / f"{number}.works").exists()

    def between(self) -> bool:
        """Runs all except those that set the stack up and delete it; returns whether all did what they say."""
        for title in self.commands:
            if title not in (DEPLOYING, LAST):
                self.run(title)
        every = [command for commands in self.commands.values() for command in commands]
        for begin in [*LACKING, *ELSEWHERE]:
            if not any(command.startswith(begin) for command in every):
                self.complaints.append(f"no command begins with `{begin}`: remove it from the list")
        for title in stories.STORIES:
            if title not in self.commands:
                self.complaints.append(f"there is no runbook `{title}`")
        return not self.complaints
