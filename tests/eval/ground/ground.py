"""A stand-in for Hetzner's cloud and AWS's, in which plans for servers are carried out. Its servers are Debian under
systemd.

With the argument `images`, their Docker has the images that images.py makes; with `releases`, github.com has the
release of k3s that release.py makes; with `name=NAME`, the name leads to the first server, and Let's Encrypt (acme.py)
certifies that. The servers trust the cloud's certificate for these hosts. The program prints a line of JSON: the
cloud's `address` and the `token` that it accepts, or the reason why it cannot start (`skipped`). Then it reads orders,
one per line, and answers each with a line of JSON: `{"servers": true}` returns the servers' addresses by name,
`{"left": true}` the resources that exist, `{"run": COMMAND, "on": NAME}` the output of a command that runs there as
root, and `{"restart": NAME}` restarts a server. When its input ends, the program and the whole cloud end.

cloud-init runs at the first boot, with the user data that Terraform sent. These things differ from a server at Hetzner:
the kernel is this machine's, so its parameters are copies; systemd gives services fewer namespaces; Hetzner's own
firewall is recorded but not enforced, and an instance's security groups are as they were at its start. The server's
firewall is real.
"""

import atexit
import fcntl
import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/deploy/emulator"))
sys.dont_write_bytecode = True
import acme  # noqa: E402
import engine  # noqa: E402
import images  # noqa: E402
import release  # noqa: E402
import sandbox  # noqa: E402

WORK = ROOT / "target/deploy"
RELEASE = "trixie"
# The packages of Hetzner's image, and those that the first boot would install, which saves time.
PACKAGES = (
    *("systemd", "systemd-sysv", "dbus", "openssh-server", "sudo", "python3", "python3-apt", "iproute2", "procps"),
    *("cloud-init", "curl", "ca-certificates", "netbase", "iptables", "cron", "locales-all", "rsync"),
    *("ufw", "unattended-upgrades", "apt-listchanges", "needrestart"),
)
# How long a server may take to start, the pause between two checks, and that between two looks for servers that have
# stopped themselves, in seconds.
START, LOOK, STOPPED = 240, 0.3, 3
# This makes Debian 13's systemd start on machines with the older cgroups.
SYSTEMD = ("/lib/systemd/systemd", "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1")
# The kernel and its parameters are the host's, so the server's settings apply to copies of them.
# The copies name a start of their own, as the kernel does at a start of the machine.
PARAMETERS = (
    "mkdir /run/parameters; cp -r /proc/sys/. /run/parameters 2>/dev/null; "
    "cat /proc/sys/kernel/random/uuid >/run/parameters/kernel/random/boot_id; mount --bind /run/parameters /proc/sys"
)
# No service asks for namespaces that a container may not create.
SERVICES = """[Service]
PrivateUsers=no
PrivateDevices=no
ProtectKernelTunables=no
ProtectKernelModules=no
ProtectKernelLogs=no
ProtectControlGroups=no
ProtectHostname=no
ProtectClock=no
ProtectProc=default
ProtectSystem=no
NoExecPaths=
ExecPaths=
"""
# The label of the private networks.
LABEL = "groundcrew-ground"
# The packages of the cloud's own container: functions of a distribution run in QuickJS, and OpenSSL signs certificates.
CLOUD = ("python3", "quickjs", "openssl")
# The cloud's programs, and those that the providers share with it.
PROGRAMS = ("cloud.py", "front.py", "s3.py", "cdn.py", "signature.py", "managed.py", "acme.py")
# The outside addresses that are in the cloud's certificate.
REGIONS = ("eu-central-1", "eu-west-1", "us-east-1")
NAMES = (
    sandbox.CHECK,
    release.HOST,
    *acme.HOSTS,
    "*.cloudfront.net",
    "cloudfront.amazonaws.com",
    "s3.amazonaws.com",
    "*.s3.amazonaws.com",
    *(f"{start}s3.{region}.amazonaws.com" for region in REGIONS for start in ("", "*.")),
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


class Ground:
    def __init__(self, docker: engine.Engine, with_images: bool, with_releases: bool, names: list[str]) -> None:
        self.docker, self.token, self.own = docker, secrets.token_hex(32), secrets.token_hex(16)
        self.networks: dict[str, str] = {}
        # The hosts of the Internet that the servers find in the cloud.
        self.hosts = [*([release.HOST] if with_releases else []), *(acme.HOSTS if names else [])]
        self.image = docker.base_image(RELEASE, PACKAGES)
        self.images = images.archive(docker, WORK) if with_images else None
        self.names: dict[str, tuple[str, str]] = {}
        self.restarting: set[str] = set()
        self.lock = threading.RLock()
        temporary = tempfile.TemporaryDirectory(prefix="groundcrew-eval-")
        self.folder = pathlib.Path(temporary.name)
        atexit.register(temporary.cleanup)
        (self.folder / "services.conf").write_text(SERVICES)
        (self.folder / "docker.conf").write_text(images.UNIT)
        self.certificate()
        for program in PROGRAMS:
            shutil.copy(HERE / program, self.folder / "cloud")
        if with_releases:
            release.write(self.folder / "cloud/release")
        acme.make(self.folder / "cloud")
        shared = ["--volume", f"{self.folder}/cloud:/cloud:ro", docker.base_image(RELEASE, CLOUD)]
        self.cloud = self.container(*shared, "python3", "/cloud/cloud.py", self.token, self.own, "/cloud", *names)
        self.address = self.address_of(self.cloud)
        if not self.address:
            raise SystemExit("the container of the cloud ended at its start")
        sandbox.pack(self.folder / "cloud", self.address)
        self.answers()
        threading.Thread(target=self.watch, daemon=True).start()

    def container(self, *options: str) -> str:
        # No "--rm": at a restart the engine sometimes removes such a container, because it has stopped.
        name = self.docker.docker("run", "--detach", *options, capture_output=True).stdout.strip()
        atexit.register(self.remove, name)
        return name

    def remove(self, container: str) -> None:
        command = [self.docker.program, "-H", self.docker.address, "rm", "--force", "--volumes", container]
        subprocess.run(command, capture_output=True, check=False)

    def address_of(self, container: str) -> str:
        form = "{{.NetworkSettings.IPAddress}}"
        return self.docker.docker("inspect", "--format", form, container, capture_output=True).stdout.strip()

    def certificate(self) -> None:
        cloud = self.folder / "cloud"
        cloud.mkdir()
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 30".split()
        names = ",".join(f"DNS:{name}" for name in NAMES)
        files = ["-keyout", f"{cloud}/key.pem", "-out", f"{cloud}/certificate.pem"]
        subprocess.run(
            [*command, "-subj", f"/CN={sandbox.CHECK}", "-addext", f"subjectAltName={names}", *files],
            check=True,
            capture_output=True,
        )

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self.own}", "content-type": "application/json"}
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(urllib.request.Request(f"http://{self.address}{path}", data, headers), timeout=30) as answer:
            return json.load(answer)

    def answers(self) -> Any:
        """Waits until the cloud answers, because a sandbox asks it only once."""
        deadline = time.monotonic() + START
        while True:
            try:
                return self.call("/wanted")
            except OSError as error:
                if time.monotonic() > deadline:
                    raise SystemExit(f"the cloud does not answer within {START} s: {error}") from error
                time.sleep(LOOK)

    def watch(self) -> None:
        """Starts the servers that are requested, and those that have stopped themselves for a restart; ends those that
        no longer are requested."""
        made, looked = {}, time.monotonic()
        while True:
            time.sleep(LOOK)
            if time.monotonic() - looked > STOPPED:
                self.start_again()
                looked = time.monotonic()
            try:
                wanted = self.call("/wanted")
            except OSError:
                continue  # On a busy machine an answer may take too long; the next look asks again.
            for server in wanted:
                number = server["id"]
                if server["status"] == "initializing" and number not in made:
                    made[number] = True
                    make = self.connect if server["kind"] == "server_network" else self.make
                    threading.Thread(target=make, args=(server,), daemon=True).start()
                if server["status"] == "gone" and made.get(number):
                    made[number] = False
                    with self.lock:
                        gone = [(name, one) for name, one in self.names.items() if one[1] == number]
                        for name, _ in gone:
                            del self.names[name]
                    for _, (container, _) in gone:
                        self.remove(container)

    def start_again(self) -> None:
        """A server that restarts itself is a container that has ended, which the engine does not start on its own."""
        with self.lock:
            ours = [container for container, _ in self.names.values() if container not in self.restarting]
        if not ours:
            return
        listed = self.docker.docker(
            "ps", "--all", "--quiet", "--no-trunc", "--filter", "status=exited", capture_output=True
        )
        for container in set(listed.stdout.split()) & set(ours):
            self.docker.docker("start", container, capture_output=True)
            self.wait(container)

    def connect(self, place: dict[str, Any]) -> None:
        """Gives a server its address in a private network."""
        number = place["id"]
        try:
            with self.lock:
                container = next(container for container, own in self.names.values() if own == str(place["server_id"]))
                if place["range"] not in self.networks:
                    # A network that a killed program has left behind has the same addresses.
                    self.docker.docker("network", "prune", "--force", "--filter", f"label={LABEL}", capture_output=True)
                    create = ["network", "create", "--label", LABEL, "--subnet", place["range"], f"ground-{self.own}"]
                    made = self.docker.docker(*create, capture_output=True)
                    self.networks[place["range"]] = made.stdout.strip()
                    atexit.register(self.forget, made.stdout.strip())
            self.docker.docker(
                "network", "connect", "--ip", place["ip"], self.networks[place["range"]], container, capture_output=True
            )
            self.call("/made", {"id": number, "status": "there"})
        except (subprocess.CalledProcessError, OSError, StopIteration) as error:
            why = f"{error} {getattr(error, 'stderr', None) or ''}".strip()
            self.call("/made", {"id": number, "status": "failed", "why": why})

    def forget(self, network: str) -> None:
        with self.lock:
            containers = [container for container, _ in self.names.values()]
        for container in containers:
            self.remove(container)
        command = [self.docker.program, "-H", self.docker.address, "network", "rm", network]
        subprocess.run(command, capture_output=True, check=False)

    def make(self, server: dict[str, Any]) -> None:
        name, number = server["name"], server["id"]
        try:
            seed = self.folder / f"seed-{number}"
            seed.mkdir()
            (seed / "user-data").write_text(server.get("user_data") or "#cloud-config\n")
            (seed / "meta-data").write_text(f"instance-id: server-{number}\nlocal-hostname: {name}\n")
            (seed / "datasource.cfg").write_text("datasource_list: [ NoCloud, None ]\nnetwork: {config: disabled}\n")
            # systemd mounts file systems and creates cgroups, and the server has its own firewall.
            options = ["--hostname", name, "--cap-add", "SYS_ADMIN", "--cap-add", "NET_ADMIN"]
            options += ["--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined"]
            options += ["--cgroupns", "host", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup", "--env", "container=docker"]
            options += ["--stop-signal", "SIGRTMIN+3"]
            for folder in ("/run", "/run/lock", "/tmp"):
                options += ["--tmpfs", folder]
            for file, inside in (
                (f"{seed}/user-data", "/var/lib/cloud/seed/nocloud/user-data"),
                (f"{seed}/meta-data", "/var/lib/cloud/seed/nocloud/meta-data"),
                (f"{seed}/datasource.cfg", "/etc/cloud/cloud.cfg.d/99-datasource.cfg"),
                (f"{self.folder}/services.conf", "/usr/local/lib/systemd/system/service.d/10-container.conf"),
                (str(HERE / "metadata.py"), "/mnt/metadata.py"),
            ):
                options += ["--volume", f"{file}:{inside}:ro"]
            for host in self.hosts:
                options += ["--add-host", f"{host}:{self.address}"]
            if self.hosts:
                options += ["--volume", f"{self.folder}/cloud/certificate.pem:{release.TRUSTED}:ro"]
            if self.images:
                # Docker's own file system must not lie on the container's. It enters other users' processes, and its
                # networks are routed.
                options += ["--cap-add", "SYS_PTRACE"]
                options += ["--volume", "/var/lib/docker", "--volume", "/var/lib/containerd"]
                options += ["--sysctl", "net.ipv4.ip_forward=1", "--volume", f"{self.images}:{images.INSIDE}:ro"]
                unit = "/usr/local/lib/systemd/system/docker.service.d/10-images.conf"
                options += ["--volume", f"{self.folder}/docker.conf:{unit}:ro"]
                options += ["--volume", f"{HERE}/runc.py:/usr/local/bin/runc:ro"]
            container = self.container(*options, self.image, *SYSTEMD)
            with self.lock:
                self.names[name] = (container, number)
            self.wait(container)
            if self.hosts:
                self.inside(container, "update-ca-certificates")
            if "let_in" in server:
                self.guard(container, server["let_in"])
                self.docker.docker("exec", "--detach", container, "python3", "/mnt/metadata.py", server["metadata"])
            self.call(
                "/made",
                {
                    "id": number,
                    "status": "running",
                    "ipv4_address": self.address_of(container),
                    "ipv6_address": "2001:db8::1",
                },
            )
        except (subprocess.CalledProcessError, OSError, TimeoutError) as error:
            why = f"{error} {getattr(error, 'stderr', None) or ''}".strip()
            print(f"the server {name}: {why}", file=sys.stderr, flush=True)
            self.call("/made", {"id": number, "status": "failed", "why": why})

    def guard(self, container: str, let_in: list[dict[str, Any]]) -> None:
        """Drops what the security groups of an instance do not let in. They cannot be changed later."""
        rules = ["-P INPUT DROP", "-A INPUT -i lo -j ACCEPT", "-A INPUT -m state --state ESTABLISHED,RELATED -j ACCEPT"]
        for rule in let_in:
            kind, ports = rule["ip_protocol"], f"{rule['from_port']}:{rule['to_port']}"
            what = "" if kind == "-1" else f"-p {kind} --dport {ports}"
            rules.append(f"-A INPUT -s {rule['cidr_ipv4'] or '0.0.0.0/0'} {what} -j ACCEPT")
        code, output = self.inside(container, " && ".join(f"iptables {rule}" for rule in rules))
        if code != 0:
            raise TimeoutError(f"no firewall: {output}")

    def inside(self, container: str, command: str) -> tuple[int, str]:
        done: subprocess.CompletedProcess[str] | subprocess.CalledProcessError
        try:
            done = self.docker.docker("exec", container, "bash", "-c", command, capture_output=True)
        except subprocess.CalledProcessError as failed:
            done = failed
        return done.returncode, done.stdout + done.stderr

    def wait(self, container: str) -> None:
        """Waits until sshd listens and the server has its own kernel parameters."""
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            if self.inside(container, "systemctl is-active ssh && test ! -e /run/nologin")[0] == 0:
                code, output = self.inside(container, PARAMETERS)
                if code != 0:
                    raise TimeoutError(f"no kernel parameters of its own: {output}")
                return
            time.sleep(LOOK)
        jobs = self.inside(container, "systemctl list-jobs --no-pager; systemctl --failed")[1]
        raise TimeoutError(f"no sshd within {START} s: {jobs}")

    def order(self, order: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            names = dict(self.names)
        if "servers" in order:
            return {"servers": {name: self.address_of(container) for name, (container, _) in names.items()}}
        if "left" in order:
            return {"left": self.call("/left")}
        name = order.get("on") or order.get("restart")
        if name not in names:
            return {"code": 127, "output": f"there is no server {name}; there are: {', '.join(names) or 'none'}"}
        container = names[name][0]
        if "restart" in order:
            self.restarting.add(container)
            try:
                self.docker.docker("restart", "--time", str(START), container, capture_output=True)
                self.wait(container)
            finally:
                self.restarting.discard(container)
            return {"code": 0, "output": ""}
        code, output = self.inside(container, order["run"])
        return {"code": code, "output": output}


def main() -> None:
    # A program that is terminated from outside must also remove its containers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    WORK.mkdir(parents=True, exist_ok=True)
    # Two engines cannot share a folder, and an image is made only once. The lock ends last, after this engine.
    own = subprocess.run([engine.client(), "info"], capture_output=True, check=False).returncode != 0
    turn = os.open(WORK / ("server.lock" if own else "image.lock"), os.O_WRONLY | os.O_CREAT)
    fcntl.flock(turn, fcntl.LOCK_EX)
    docker = engine.Engine(WORK, start)
    if reason := docker.unusable():
        say(skipped=reason)
        return
    names = [word.removeprefix("name=") for word in sys.argv[1:] if word.startswith("name=")]
    try:
        ground = Ground(docker, "images" in sys.argv[1:], "releases" in sys.argv[1:], names)
    except subprocess.CalledProcessError as failed:
        raise SystemExit(f"{failed}: {failed.stderr}") from failed
    if not own:
        os.close(turn)
    say(address=ground.address, token=ground.token)
    for line in sys.stdin:
        say(**ground.order(json.loads(line)))


if __name__ == "__main__":
    main()
