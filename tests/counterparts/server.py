"""A server like a user's: Debian under systemd, with OpenSSH, in a container.

Prints its address as a line of JSON, or the reason why it is unavailable. After that, each line that it reads is a
command that root runs in the server, or `null` to restart the server; it answers each with a line of JSON. It stops,
together with the server, when its input ends. Its arguments are packages that the server has in addition to its own.
Only one runs at a time: others wait.
"""

import atexit
import fcntl
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/deploy/emulator"))
sys.dont_write_bytecode = True
import engine  # noqa: E402

WORK = ROOT / "target/deploy"
# Debian 12, whose systemd still starts on machines with cgroups of version 1.
RELEASE = "bookworm"
PACKAGES = ("systemd", "systemd-sysv", "dbus", "openssh-server", "sudo")
# How long systemd may take to start, and to shut down, in seconds.
START = 180
# Label of the server's container: each copy of the repository has one server.
LABEL = f"groundcrew.test-server={ROOT}"
# The kernel and its parameters are the host's, so the server's settings apply to copies of them.
PARAMETERS = (
    "mkdir /run/parameters; cp -r /proc/sys/. /run/parameters 2>/dev/null; mount --bind /run/parameters /proc/sys"
)


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def start(name: str, command: engine.Command) -> subprocess.Popen[bytes]:
    """A process that ends with this one."""
    with open(WORK / f"{name}.log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    atexit.register(end, process)
    return process


def say(**values: object) -> None:
    print(json.dumps(values), flush=True)


class Server:
    """A container in which systemd is the first process."""

    def __init__(self, docker: engine.Engine) -> None:
        self.docker = docker
        self.sweep()
        image = docker.base_image(RELEASE, (*PACKAGES, *sys.argv[1:]))
        # systemd mounts file systems and creates cgroups, which a container may do only with permission.
        # No "--rm": at a restart the engine sometimes removes such a container, because it has stopped.
        options = ["--detach", "--label", LABEL, "--cap-add", "SYS_ADMIN", "--security-opt", "seccomp=unconfined"]
        # Its firewall is separate from the host's.
        options += ["--cap-add", "NET_ADMIN"]
        options += ["--cgroupns", "host", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup", "--env", "container=docker"]
        # The signal at which systemd shuts down: it ignores others, and the engine would have to kill it.
        options += ["--stop-signal", "SIGRTMIN+3"]
        for folder in ("/run", "/run/lock", "/tmp"):
            options += ["--tmpfs", folder]
        ran = docker.docker("run", *options, image, "/lib/systemd/systemd", capture_output=True)
        self.name = ran.stdout.strip()
        atexit.register(self.sweep)

    def sweep(self) -> None:
        """Removes the server, and one that a killed run has left behind."""
        listed = self.docker.docker("ps", "--all", "--quiet", "--filter", f"label={LABEL}", capture_output=True)
        if names := listed.stdout.split():
            self.docker.docker("rm", "--force", "--volumes", *names, capture_output=True)

    def run(self, command: str) -> tuple[int, str]:
        done: subprocess.CompletedProcess[str] | subprocess.CalledProcessError
        try:
            done = self.docker.docker("exec", self.name, "bash", "-c", command, capture_output=True)
        except subprocess.CalledProcessError as failed:
            done = failed
        return done.returncode, done.stdout + done.stderr

    def restart(self) -> tuple[int, str]:
        self.docker.docker("restart", "--time", str(START), self.name, capture_output=True)
        self.wait()
        return 0, ""

    def wait(self) -> None:
        """Waits until systemd has started everything (sshd listens before users may sign in), and until sshd greets a
        connection from outside."""
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and self.runs():
            state = self.run("systemctl is-system-running")[1].strip()
            started = state in ("running", "degraded") and self.run("systemctl is-active ssh")[0] == 0
            if started and self.accepts():
                if self.run(PARAMETERS)[0] != 0:
                    sys.exit("the server does not get its own kernel parameters")
                return
            time.sleep(0.2)
        logs = self.docker.docker("logs", self.name, stderr=subprocess.STDOUT, stdout=subprocess.PIPE).stdout
        units = self.run("systemctl list-units --failed; systemctl is-system-running")
        sys.exit(f"systemd does not start: {units}; its log: {logs}")

    def accepts(self) -> bool:
        try:
            with socket.create_connection((self.address(), 22), timeout=5) as connection:
                return connection.recv(4) == b"SSH-"
        except OSError:
            return False

    def runs(self) -> bool:
        form = "{{.State.Running}}"
        return self.docker.docker("inspect", "--format", form, self.name, capture_output=True).stdout.strip() == "true"

    def address(self) -> str:
        form = "{{.NetworkSettings.IPAddress}}"
        return self.docker.docker("inspect", "--format", form, self.name, capture_output=True).stdout.strip()


def main() -> None:
    WORK.mkdir(parents=True, exist_ok=True)
    # Two engines cannot share a folder. The lock ends with this process.
    turn = os.open(WORK / "server.lock", os.O_WRONLY | os.O_CREAT)
    fcntl.flock(turn, fcntl.LOCK_EX)
    docker = engine.Engine(WORK, start)
    if reason := docker.unusable():
        say(skipped=reason)
        return
    server = Server(docker)
    server.wait()
    say(address=server.address())
    for line in sys.stdin:
        command = json.loads(line)
        code, output = server.restart() if command is None else server.run(command)
        say(code=code, output=output)


if __name__ == "__main__":
    main()
