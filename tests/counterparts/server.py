"""A server as a user has one: Debian under systemd, with OpenSSH, in a container.

Prints its address as a line of JSON, or the reason why there can be none. Then each line that it reads is a command that
root runs in the server, or `null` for a restart of it, answered with a line of JSON. It ends, and the server with it, when
its input does. Its arguments are packages that the server has beside its own. One runs at a time: the others wait.
"""

import atexit
import fcntl
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/deploy/emulator"))
sys.dont_write_bytecode = True
import engine  # noqa: E402

WORK = ROOT / "target/deploy"
# Debian 12, whose systemd still starts on machines with the older cgroups.
RELEASE = "bookworm"
PACKAGES = ("systemd", "systemd-sysv", "dbus", "openssh-server", "sudo")
# How long systemd may take to start, and to shut down, in seconds.
START = 180
# The kernel is the host's, and so are its parameters: what the server sets are copies of them.
PARAMETERS = "mkdir /run/parameters; cp -r /proc/sys/. /run/parameters 2>/dev/null; mount --bind /run/parameters /proc/sys"


def start(name, command):
    """A process that ends with this one."""
    log = open(WORK / f"{name}.log", "w")
    process = subprocess.Popen(command, stdout=log, stderr=log)
    atexit.register(lambda: (process.terminate(), process.wait()))
    return process


def say(**values):
    print(json.dumps(values), flush=True)


class Server:
    """A container in which systemd is the first process."""

    def __init__(self, docker):
        self.docker = docker
        image = docker.base_image(RELEASE, (*PACKAGES, *sys.argv[1:]))
        # systemd mounts and makes groups of processes, which a container may not unless it is let.
        options = ["--detach", "--rm", "--cap-add", "SYS_ADMIN", "--security-opt", "seccomp=unconfined"]
        # Its firewall is its own.
        options += ["--cap-add", "NET_ADMIN"]
        options += ["--cgroupns", "host", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup", "--env", "container=docker"]
        # The signal at which systemd shuts down: at another it goes on, and the engine has to kill it.
        options += ["--stop-signal", "SIGRTMIN+3"]
        for folder in ("/run", "/run/lock", "/tmp"):
            options += ["--tmpfs", folder]
        ran = docker.docker("run", *options, image, "/lib/systemd/systemd", capture_output=True)
        self.name = ran.stdout.strip()
        atexit.register(lambda: docker.docker("rm", "--force", self.name, capture_output=True))

    def run(self, command):
        try:
            done = self.docker.docker("exec", self.name, "bash", "-c", command, capture_output=True)
        except subprocess.CalledProcessError as failed:
            done = failed
        return done.returncode, done.stdout + done.stderr

    def restart(self):
        self.docker.docker("restart", "--time", str(START), self.name, capture_output=True)
        self.wait()
        return 0, ""

    def wait(self):
        """Until systemd has started everything: sshd listens before users may sign in."""
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            state = self.run("systemctl is-system-running")[1].strip()
            if state in ("running", "degraded") and self.run("systemctl is-active ssh")[0] == 0:
                if self.run(PARAMETERS)[0] != 0:
                    sys.exit("the server gets no kernel parameters of its own")
                return
            time.sleep(0.2)
        sys.exit(f"systemd does not start: {self.run('systemctl list-units --failed; systemctl is-system-running')}")

    def address(self):
        form = "{{.NetworkSettings.IPAddress}}"
        return self.docker.docker("inspect", "--format", form, self.name, capture_output=True).stdout.strip()


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    # Two engines cannot share a folder. The lock goes with this process.
    turn = open(WORK / "server.lock", "w")
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
