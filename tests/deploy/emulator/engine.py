"""Docker's engine and the sandbox image."""

import hashlib
import io
import ipaddress
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Callable, Sequence
from typing import Any

# How long the engine may take to answer after its start, in seconds.
START = 30
# The address range for networks of this suite's engine. Docker's default range holds only thirty networks, and an
# engine that was killed leaves its bridges in the kernel, where the next one finds their addresses taken.
POOL = "base=10.213.0.0/16,size=24"
# The sandbox image of this build.
IMAGE = "groundcrew-sandbox:test"
# The maximum size of the image, in bytes: the smaller it is, the sooner a task starts.
IMAGE_BYTES = 900_000_000
# How long a sandbox may take from the order to the agent's first connection, in seconds, and the number of starts of
# which the fastest counts: the image must make this possible, however busy the machine is.
READY, STARTS = 1.0, 5
# What the sandbox's user reads in the image, and words that the answers contain: the linter in its version, pages of
# the base's packages and of others, the index of pages, and the documentation of a module.
READ = {
    "ansible-lint --offline --version": "ansible-lint 2",
    "man bash": "GNU Bourne-Again SHell",
    "man ls": "list directory contents",
    "man 5 ssh_config": "StrictHostKeyChecking",
    "man 7 signal": "SIGTERM",
    "man -k 'list directory contents'": "ls (1)",
    "ansible-doc ansible.builtin.lineinfile": "regexp",
}
# How long any start may take.
PATIENCE = 30
# Label of the emulator's containers.
ECS = "com.amazonaws.ecs.task-arn"
# Label of the local stack's networks.
LOCAL = "groundcrew.data-dir"
# A command, and what starts one with this name for its log.
Command = list[str | pathlib.Path]
Start = Callable[[str, Command], subprocess.Popen[bytes]]


def run(command: Command, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command; its error says what a captured standard error says."""
    try:
        return subprocess.run(command, check=True, text=True, **more)
    except subprocess.CalledProcessError as error:
        if error.stderr:
            error.add_note(error.stderr.strip())
        raise


def client() -> str:
    """A client that can build: Debian's includes BuildKit, others need the plugin Buildx."""
    for program in ("docker", "/usr/bin/docker"):
        if shutil.which(program):
            version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
            plugin = subprocess.run([program, "buildx", "version"], capture_output=True, check=False).returncode == 0
            if plugin or " 20." in version:
                return program
    return "docker"


class Engine:
    """The machine's engine if it answers; otherwise a separate one with all data in target/deploy/docker."""

    def __init__(self, work: pathlib.Path, start: Start) -> None:
        self.work, self.program = work, client()
        self.address = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
        self.reason = None if self.answers() else self.begin(start)

    def unusable(self) -> str | None:
        """The reason why no engine can be used, in one line; None if one can."""
        return self.reason

    def begin(self, start: Start) -> str | None:
        missing = [name for name in ("docker", "dockerd", "mmdebstrap") if not shutil.which(name)]
        if missing:
            return f"{' and '.join(missing)} missing (sudo apt-get install docker.io mmdebstrap)"
        if os.geteuid() != 0:
            return "no Docker engine runs, and starting one needs root"
        folder = self.work / "docker"
        folder.mkdir(exist_ok=True)
        self.address = f"unix://{folder}/docker.sock"
        command: Command = [
            "dockerd",
            "--data-root",
            folder / "data",
            "--exec-root",
            folder / "exec",
            "--host",
            self.address,
        ]
        command += ["--pidfile", folder / "docker.pid", "--default-address-pool", POOL]
        process = start("dockerd", command)
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and process.poll() is None:
            if self.answers():
                return None
            time.sleep(0.2)
        lines = (self.work / "dockerd.log").read_text().strip().splitlines()
        return f"dockerd does not start: {lines[-1] if lines else 'no message'}"

    def docker(self, *arguments: str | pathlib.Path, **more: Any) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DOCKER_HOST": self.address, "DOCKER_BUILDKIT": "1"}
        return run([self.program, *arguments], env=environment, **more)

    def answers(self) -> bool:
        try:
            self.docker("info", capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def sweep(self) -> None:
        """Removes what an emulator or a local stack of this run or of a killed one has left behind: the containers of
        this suite's images, their networks, and the names under which the emulator's registry held images."""
        published = ["--filter", "reference=127.0.0.1:*/groundcrew-*"]
        names = self.docker(
            "images", *published, "--format", "{{.Repository}}:{{.Tag}}", capture_output=True
        ).stdout.split()
        names = [name for name in names if not name.endswith("<none>")]
        ours = [word for image in (IMAGE, *names) for word in ("--filter", f"ancestor={image}")]
        listed = self.docker(
            "ps", "--all", "--quiet", "--filter", f"label={ECS}", *ours, capture_output=True
        ).stdout.split()
        if listed:
            self.docker("rm", "--force", "--volumes", *listed, capture_output=True)
        self.docker("network", "prune", "--force", "--filter", f"label={LOCAL}", capture_output=True)
        if names:
            self.docker("rmi", *names, capture_output=True)

    def gateway(self) -> str:
        """This machine's address for containers: the first one of the network, which an engine does not report until
        its second start."""
        form = "{{json (index .IPAM.Config 0)}}"
        inspected = self.docker("network", "inspect", "bridge", "--format", form, capture_output=True)
        network = json.loads(inspected.stdout)
        return network.get("Gateway") or str(next(ipaddress.ip_network(network["Subnet"]).hosts()))

    def has(self, image: str) -> bool:
        try:
            self.docker("image", "inspect", image, capture_output=True)
        except subprocess.CalledProcessError:
            return False
        return True

    def base_image(self, release: str = "trixie", include: Sequence[str] = (), slim: bool = False) -> str:
        """Debian with these packages, built by mmdebstrap without a registry. A slim one has no manual pages and tells
        dpkg to leave them out, like Debian's own slim image."""
        chosen = hashlib.sha256(" ".join(include).encode()).hexdigest()[:12]
        image = f"groundcrew-test/debian:{release}" + (f"-{chosen}" if include else "") + ("-slim" if slim else "")
        if not self.has(image):
            archive = self.work / f"{release}.tar"
            sources = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
            mirror = []
            if sources.is_file():
                # This machine's own mirror, with the release that the image needs.
                text = re.sub("bookworm|trixie", release, sources.read_text())
                if release == "sid":
                    # The unstable release has neither updates nor a security archive.
                    text = text.replace(" sid-updates", "").split("\n\n")[0]
                (self.work / f"{release}.sources").write_text(text)
                mirror = [self.work / f"{release}.sources"]
            more = [f"--include={','.join(include)}"] if include else []
            if slim:
                more.append("--dpkgopt=path-exclude=/usr/share/man/*")
            if release == "sid":
                # A mirror that is weeks behind is good enough for tests.
                more.append('--aptopt=Acquire::Check-Valid-Until "false"')
            run(["mmdebstrap", "--quiet", "--variant=minbase", *more, release, archive, *mirror])
            self.docker("import", archive, image, capture_output=True)
            archive.unlink()
        return image

    def single_file(self, name: str, file: pathlib.Path, inside: str) -> str:
        """An image that holds one file."""
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
        image = f"groundcrew-test/{name}:{digest}"
        if not self.has(image):
            archive = io.BytesIO()
            with tarfile.open(fileobj=archive, mode="w") as tar:
                tar.add(file, inside)
            environment = {**os.environ, "DOCKER_HOST": self.address}
            command = [self.program, "import", "-", image]
            subprocess.run(command, input=archive.getvalue(), env=environment, check=True, capture_output=True)
        return image

    def build_arguments(self, root: pathlib.Path) -> list[str]:
        """The build arguments with which infra/sandbox/Dockerfile uses the agent of this build and nothing from a
        registry."""
        agent = self.work / "sandbox-agent"
        run(["strip", "--strip-debug", "-o", agent, root / "target/debug/sandbox-agent"])
        arguments = {
            "RUST_IMAGE": "scratch",
            "BASE_IMAGE": self.base_image(slim=True),
            "AGENT": self.single_file("agent", agent, "/sandbox-agent"),
        }
        # This machine's Terraform if it has one; otherwise the image that the Dockerfile names.
        if terraform := shutil.which("terraform"):
            file = pathlib.Path(terraform).resolve()
            arguments["TERRAFORM_IMAGE"] = self.single_file("terraform", file, "/bin/terraform")
        given = [word for name, value in arguments.items() for word in ("--build-arg", f"{name}={value}")]
        # This machine may reach PyPI only through a proxy whose authority it knows.
        if authorities := os.environ.get("SSL_CERT_FILE"):
            given += ["--secret", f"id=certificates,src={authorities}"]
        return ["--network", "host", "--progress", "plain", *given]

    def sandbox_image(self, root: pathlib.Path) -> None:
        """Builds infra/sandbox/Dockerfile."""
        command: Command = ["build", *self.build_arguments(root), "--file", root / "infra/sandbox/Dockerfile"]
        with open(self.work / "sandbox-image.log", "w") as log:
            self.docker(*command, "--tag", IMAGE, root, stdout=log, stderr=log)
        size = self.docker("image", "inspect", IMAGE, "--format", "{{.Size}}", capture_output=True).stdout
        if int(size) > IMAGE_BYTES:
            raise SystemExit(f"the sandbox image takes {int(size) / 1e6:.0f} MB, more than {IMAGE_BYTES / 1e6:.0f} MB")

    def read_documentation(self) -> None:
        """Fails unless the user of the image's commands can lint, and read the documentation of what is installed."""
        look = "{} 2>&1 | grep --quiet --fixed-strings -- '{}' || echo \"{}\""
        lines = [look.format(command, words, command) for command, words in READ.items()]
        confined = ["--rm", "--read-only", "--user", "sandbox", "--env", "HOME=/tmp", "--entrypoint", "bash"]
        run = self.docker("run", *confined, IMAGE, "-c", "\n".join(lines), capture_output=True)
        if run.stdout:
            raise SystemExit(
                f"in the sandbox image, these commands do not answer: {', '.join(run.stdout.splitlines())}"
            )

    def first_knock(self) -> float:
        """How long a sandbox takes to connect to its gateway, in seconds: confined as in the template, the fastest of a
        few."""
        taken = []
        for _ in range(STARTS):
            with socket.create_server((self.gateway(), 0)) as door:
                door.settimeout(PATIENCE)
                host, port = door.getsockname()
                settings = {"WEBSOCKET_URL": f"ws://{host}:{port}", "TOKEN": "knock", "USER": "user_1_1"}
                given = [word for name, value in settings.items() for word in ("--env", f"GROUNDCREW_{name}={value}")]
                confined = ["--init", "--read-only", "--security-opt", "no-new-privileges", "--memory", "2g"]
                since = time.monotonic()
                run = self.docker("run", "--detach", "--rm", *confined, *given, IMAGE, capture_output=True)
                try:
                    door.accept()[0].close()
                    taken.append(time.monotonic() - since)
                finally:
                    self.docker("rm", "--force", "--volumes", run.stdout.strip(), capture_output=True)
        return min(taken)
