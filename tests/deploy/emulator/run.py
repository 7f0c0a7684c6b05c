"""Deploys infra/template.yaml as it is to the emulator, with IAM enforced, and runs the suite `deployed` against it.

Everything is kept in target/deploy: Docker's engine and its images (made once), the venv, logs. What is started here is
ended here, by its process id. `--keep` leaves it all running and prints how to run the suite against it.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import controls
import engine
import needed
import runbooks
import stack
import tunnel

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORK = ROOT / "target/deploy"
# How long a process may take to exit after SIGTERM, in seconds; then it is killed.
GRACE = 20
# How long the emulator and the local stack may take to listen, in seconds.
START = 60
# How long Docker's engine may take to start a container on a busy machine, in seconds.
DOCKER = 60
started: list[tuple[str, subprocess.Popen[bytes]]] = []
engines: list[engine.Engine] = []


def start(name: str, command: engine.Command, **more: Any) -> subprocess.Popen[bytes]:
    """Starts a process with its log in target/deploy."""
    with open(WORK / f"{name}.log", "w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **more)
    started.append((name, process))
    return process


def end(but: str = "") -> None:
    """Ends the started processes in reverse order."""
    for name, process in reversed(started):
        if name != but and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                print(f"{name} does not end, so it is killed")
                process.kill()
                process.wait()


def report_ended() -> None:
    """Prints the end of the log of each process that ended unasked: other failures may follow from it."""
    for name, process in started:
        if process.poll() is not None:
            last = "".join(f"\n    {line}" for line in (WORK / f"{name}.log").read_text().splitlines()[-20:])
            print(f"{name} ended unasked with {process.returncode}:{last}", flush=True)


def listens(name: str, process: subprocess.Popen[bytes], host: str, port: int) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        if process.poll() is not None:
            sys.exit(f"{name} ended: {(WORK / f'{name}.log').read_text()[-2000:]}")
        with socket.socket() as knock:
            if knock.connect_ex((host, port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"{name} does not listen on {host}:{port}")


def free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def said(title: str, since: float) -> None:
    print(f"  {title}: {time.monotonic() - since:.1f} s", flush=True)


def emulator(host: str, port: int, site: str, docker: str, registry: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment.update(
        DOCKER_HOST=docker,
        GATEWAY_PORT=str(port),
        BIND_HOST=host,
        EMULATOR_HOST=host,
        EMULATOR_SITE=site,
        EMULATOR_DECISIONS=str(WORK / "decisions.jsonl"),
        LAMBDA_EXECUTOR="local",
        AUTH="true",
        EMULATOR_REGISTRY=registry,
        MINISTACK_DOCKER_TIMEOUT=str(DOCKER),
        AWS_ACCESS_KEY_ID=stack.OPERATOR,
        AWS_SECRET_ACCESS_KEY=stack.OPERATOR,
        AWS_DEFAULT_REGION=stack.REGION,
        # Clients on this machine reach it without a proxy.
        ECS_REAP_INTERVAL_SECONDS="1",
        NO_PROXY="*",
        no_proxy="*",
        TMPDIR=str(WORK / "tmp"),
        LOG_LEVEL="INFO",
    )
    shutil.rmtree(WORK / "tmp", ignore_errors=True)
    (WORK / "tmp").mkdir()
    (WORK / "decisions.jsonl").write_text("")
    script = str(pathlib.Path(__file__).with_name("adapter.py"))
    process = start("ministack", [sys.executable, script], env=environment, cwd=WORK)
    listens("ministack", process, host, port)


class LocalStack:
    """GitHub, Stripe and the model, and CloudFront in front of the deployed APIs."""

    def __init__(self, port: int) -> None:
        self.port, self.engines = port, free_port("127.0.0.1")
        self.data = WORK / "local-stack"
        shutil.rmtree(self.data, ignore_errors=True)
        self.process: subprocess.Popen[bytes] | None = None
        self.before: tuple[str, str] | None = None

    def stand_before(self, deployed: stack.Deployed) -> None:
        """Passes calls on to this deployment; the emulator gives a REST API whose routes change another address."""
        if self.before == (deployed.rest, deployed.edge_proof):
            return
        if self.process:
            self.process.terminate()
            self.process.wait(GRACE)
            started.remove(("local-stack", self.process))
        self.before = deployed.rest, deployed.edge_proof
        command: engine.Command = [
            ROOT / "target/debug/local-stack",
            "--engines-only",
            "--sandbox",
            "none",
            "--port",
            str(self.port),
        ]
        command += ["--engines-port", str(self.engines), "--data-dir", self.data, "--api", deployed.rest]
        environment = {**os.environ, "EDGE_PROOF": deployed.edge_proof}
        self.process = start("local-stack", command, env=environment)
        listens("local-stack", self.process, "127.0.0.1", self.port)


# The API tests that also run against the deployment, besides the module `deployed`: each uses only public calls, and
# together they use every function.
FRONT_DOOR = """
    pipeline::a_request_becomes_a_running_service
    credentials::owners_see_the_names_of_credentials_and_no_one_sees_values
    files::a_stranger_reads_only_their_own_workspace
    files::the_owner_edits_a_file_and_takes_it_home
    github::signing_out_in_one_browser_leaves_the_others_signed_in
    guests::a_guest_is_refused_until_the_owner_allows_them
    payments::a_refund_is_deducted_from_the_balance
    payments::a_payer_is_credited_once_and_returns_to_our_page
    projects::a_new_project_is_returned_listed_and_stored
    sign_in::an_unsigned_delivery_changes_nothing
    terminal::a_terminal_continues_where_another_browser_left_it
    terminal::typed_commands_run_in_the_sandbox_and_their_output_returns
    user::a_history_is_read_in_pages_and_as_a_file_and_only_by_its_owner
""".split()


# These also inspect the deployment.
DEPLOYED = """
    deployed::a_deleted_account_leaves_no_session_no_socket_and_nothing_of_its_projects
    deployed::a_plan_is_written_by_way_of_the_queue
    deployed::a_restored_backup_is_what_the_next_container_begins_with
    deployed::a_sandbox_is_a_container_with_the_limits_of_its_task_definition
    deployed::a_sandbox_whose_container_dies_is_recorded_as_gone
    deployed::a_sandbox_whose_task_is_stopped_backs_up_its_workspace_first
    deployed::a_call_is_signed_in_through_api_gateway
    deployed::a_visit_is_counted
    deployed::a_suspended_installation_ends_the_session_by_githubs_webhook
    deployed::an_answer_of_api_gateway_itself_differs_from_a_functions
""".split()


# The emulator's engine and image also serve these tests of the local stack's `--sandbox docker`.
CONTAINED = """
    contained::a_command_finds_nothing_of_the_agent_and_no_way_out_of_its_container
    contained::a_container_and_its_network_go_with_the_sandbox
    contained::a_container_reaches_the_socket_for_agents_and_nothing_else_of_this_machine
    contained::two_projects_listen_on_one_port_and_neither_reaches_the_other
""".split()

# These change the stack, so they run one after the other when everything else is finished.
CHANGING = """
    deployed::a_sandbox_continues_while_its_stack_is_updated_and_rolled_back
    deployed::a_start_takes_the_waiting_container_of_the_pool
""".split()


def built_tests() -> str:
    """Builds the API's tests within the whole workspace, as everything else is built; returns the program that runs
    them."""
    cargo = os.environ.get("CARGO", "cargo")
    command = [cargo, "test", "--workspace", "--test", "api", "--no-run", "--message-format", "json"]
    lines = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    made = [message for message in map(json.loads, lines) if message.get("executable")]
    return next(message["executable"] for message in made if message["target"]["name"] == "api")


def suite(program: str, tests: Sequence[str], environment: dict[str, str], threads: int = 4, **more: Any) -> bool:
    """Runs tests of the API's suite against the deployment; returns whether all of them were found and passed."""
    command = [program, "--include-ignored", "--exact", *tests, "--test-threads", str(threads)]
    folder = ROOT / "tests/api"
    listed = subprocess.run([*command[:3], *tests, "--list"], capture_output=True, text=True, cwd=folder, check=False)
    missing = set(tests) - {line.removesuffix(": test") for line in listed.stdout.splitlines()}
    if missing:
        sys.exit(f"there are no such tests: {', '.join(sorted(missing))}")
    ran = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, check=False, **more)
    return ran.returncode == 0


def controlled(program: str, operator: stack.Operator, local: LocalStack, environment: dict[str, str]) -> int:
    """Removes one thing after the other from the template, and restores each; returns how many tests noticed no
    difference."""
    wrong = 0
    whole = ("nothing", lambda text: text, controls.SIGNED_IN)
    for what, without, test in [*controls.CONTROLS, whole]:
        local.stand_before(operator.update(without))
        passed = suite(program, [test], environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print(f"  Without {what}, {test} {'passes' if passed else 'fails'}", flush=True)
        wrong += passed != (what == "nothing")
    return wrong


def decided() -> list[needed.Decision]:
    """Decisions about functions' roles: role, action, resource, whether it was refused, condition keys."""
    lines = [json.loads(line) for line in (WORK / "decisions.jsonl").read_text().splitlines()]
    return [line for line in lines if line[0] != stack.OPERATOR]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="leave everything running until Ctrl-C or SIGTERM")
    parser.add_argument("--brief", action="store_true", help="without the runbooks and the negative controls")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    # Otherwise a process that ends this one would leave its children behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    # Done first: later, sections that run next to this one use cargo.
    program = os.environ.get("DEPLOYED_TESTS") or built_tests()
    since = time.monotonic()
    docker = engine.Engine(WORK, start)
    engines.append(docker)
    if reason := docker.unusable():
        print(f"SKIPPED: the deployment cannot be tested here: {reason}")
        sys.exit(1 if os.environ.get("CI") else 0)
    docker.sweep()
    said("Docker's engine", since)
    since = time.monotonic()
    docker.sandbox_image(ROOT)
    docker.read_documentation()
    said("The sandbox image", since)
    knock = docker.first_knock()
    print(f"  A sandbox connects after {knock:.2f} s", flush=True)
    if knock > engine.READY:
        sys.exit(f"a sandbox takes {knock:.2f} s to start, more than {engine.READY:.0f} s")

    since = time.monotonic()
    host = docker.gateway()
    port, site_port = free_port(host), free_port("127.0.0.1")
    site = f"http://localhost:{site_port}"
    emulator(host, port, site, docker.address, tunnel.Tunnel(host, port).address)
    said("The emulator", since)
    since = time.monotonic()
    operator = stack.Operator(f"http://{host}:{port}", ROOT, WORK)
    operator.upload()
    said("Functions are packed and uploaded", since)
    since = time.monotonic()
    deployed = operator.deploy(site)
    said(f"{deployed.resources} resources are deployed", since)
    local = LocalStack(site_port)
    local.stand_before(deployed)
    operator.edge_changed = lambda: local.stand_before(operator.deployed())
    since = time.monotonic()
    pages = runbooks.Runbooks(operator, docker, ROOT, WORK)
    doctor = doctored(site, operator.endpoint, ["the sandbox image", "the web application"])
    # Nothing after this works without its image.
    if not pages.run(runbooks.DEPLOYING):
        sys.exit("docs/operations.md did not set up a stack")
    operator.fill_secrets(deployed, f"http://127.0.0.1:{local.engines}")
    doctor = doctored(site, operator.endpoint, []) and doctor
    said("The image and the web application are published", since)

    environment = {
        "DEPLOYED_SITE": site,
        "DEPLOYED_ENDPOINT": operator.endpoint,
        "DEPLOYED_DOCKER": docker.address,
        "DEPLOYED_TABLE": deployed.outputs["TableName"],
        "DEPLOYED_DATA": str(WORK / "local-stack"),
    }
    if options.keep:
        print("\n".join(f"export {name}={value}" for name, value in environment.items()))
        print("cargo nextest run --workspace --test api --run-ignored all -E 'test(/deployed::/)'", flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            return 0
    return drive(program, operator, local, environment, doctor, pages, options.brief)


def doctored(site: str, endpoint: str, missing: list[str]) -> bool:
    """Whether `cargo dev doctor` reports exactly this as missing."""
    environment = {
        **os.environ,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": stack.OPERATOR,
        "AWS_SECRET_ACCESS_KEY": stack.OPERATOR,
        "AWS_DEFAULT_REGION": stack.REGION,
        "NO_PROXY": "*",
        "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    command: engine.Command = [ROOT / "target/debug/dev", "doctor", "--stack", stack.STACK, "--site", site]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = [line.split(None, 1)[1] for line in said.stdout.splitlines() if line.startswith("  missing")]
    if found != missing:
        print(f"  cargo dev doctor reports {found} as missing instead of {missing}:\n{said.stdout}{said.stderr}")
    return found == missing


def drive(
    program: str,
    operator: stack.Operator,
    local: LocalStack,
    environment: dict[str, str],
    doctor: bool,
    pages: runbooks.Runbooks,
    brief: bool,
) -> int:
    """Runs all tests in order; returns the exit code."""
    environment["DEPLOYED_OPERATOR"] = (
        f"{sys.executable} {pathlib.Path(__file__).with_name('operate.py')} {operator.endpoint}"
    )
    since = time.monotonic()
    good = suite(program, [*FRONT_DOOR, *DEPLOYED], environment)
    said("The deployed product is tested", since)
    since = time.monotonic()
    own = {"SANDBOX_IMAGE": engine.IMAGE, "DOCKER_HOST": environment["DEPLOYED_DOCKER"], "PROGRAMS_BUILT": "1"}
    good = suite(program, CONTAINED, own) and good
    said("Containers of the local stack", since)
    since = time.monotonic()
    good = suite(program, CHANGING, environment, threads=1) and good
    said("Update, rollback and pool", since)
    decisions = decided()
    refused = [line for line in decisions if line[3]]
    unneeded = needed.unneeded(operator, stack.client("iam", operator.endpoint), decisions)
    print(f"  IAM made {len(decisions)} decisions about the functions' roles, {len(refused)} of them refusals")
    for line in refused[:10] + unneeded:
        print(f"    {line}")
    # Of each: whether it holds.
    whole = [doctor, not refused, not unneeded]
    if not brief:
        since = time.monotonic()
        whole.append(pages.between())
        local.stand_before(operator.deployed())
        said("The runbooks", since)
        since = time.monotonic()
        uncontrolled = controlled(program, operator, local, environment)
        whole += [True] * (len(controls.CONTROLS) + 1 - uncontrolled) + [False] * uncontrolled
        said("Negative controls", since)
    since = time.monotonic()
    whole.append(pages.run(runbooks.LAST))
    said("The stack is deleted", since)
    passed, failed = sum(whole), len(whole) - sum(whole)
    print(f"{passed} passed, {failed} failed")
    return 0 if good and not failed else 1


if __name__ == "__main__":
    code = 1
    try:
        code = main()
    finally:
        report_ended()
        # A running emulator would start containers while the others are removed.
        end(but="dockerd")
        try:
            if engines and not engines[0].unusable():
                engines[0].sweep()
        finally:
            end()
            # The functions' unpacked code, for each version of each function.
            shutil.rmtree(WORK / "tmp", ignore_errors=True)
    sys.exit(code)
