"""Checks the running product against its contract: schemathesis makes valid and invalid calls from web/openapi.json,
and every answer must be one that the document allows. It starts its own stack and stops it at the end."""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
# How long schemathesis generates calls, in seconds. The calls that follow from the schema take some 25 of them if no
# other program needs the processors, and generated ones take the rest. The last answers come after it.
DEADLINE = int(os.environ.get("CONTRACT_SECONDS", "45"))
# The same, for a run that calls one operation.
DEADLINE_OF_ONE = 8
# The maximum number of generated calls for each operation, besides those that follow from the schema.
EXAMPLES = 8
# A fixed seed, so that each run generates the same calls.
SEED = 20261120
# Schemathesis calls far more often than people do.
UNLIMITED = "every-limit=1000000"
LIMITED = ("SANDBOXES", "SANDBOX_STARTS", "PROJECTS", "STREAMS")
PLENTY = {f"{what}_PER_INSTALLATION": "1000" for what in LIMITED}
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
# These end their own sessions, so each has a separate run.
GOODBYES = ("/github/logout", "/github/logout-everywhere")
# These delete what the others need, so each has a separate run, too.
DELETIONS = ("delete_project", "delete_account")
# A valid call of this operation stays open for minutes by design, which this tool cannot handle; tests/api reads that
# stream. Here it is called without a session.
ENDLESS = "/terminal/commands"
# How a run of the tool ended.
Ended = subprocess.CompletedProcess[bytes]
# The output of a run that is shown after others.
KEPT: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}


def start(data: str) -> tuple[subprocess.Popen[str], str]:
    """Starts the local stack as a process; returns it with its address."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug"
    command: list[str | Path] = [target / "local-stack", "--port", "0", "--model-pace", "0", "--data-dir", data]
    command += ["--sandbox-agent", target / "sandbox-agent"]
    stack = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **PLENTY, "RATE_LIMITS": UNLIMITED}
    )
    ready = stack.stdout.readline() if stack.stdout else ""
    address = re.search(r"http://localhost:\d+", ready)
    if not address:
        stack.kill()
        sys.exit(f"the stack did not start: {ready}")
    return stack, address.group()


def sign_in(site: str, login: str) -> tuple[str, str, int]:
    """Signs in as this user; returns the session's cookie, its installation and one of its projects."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar))
    try:
        end = browser.open(f"{site}/api/github/login?login={login}").geturl()
    except urllib.error.HTTPError as error:
        end = error.geturl()  # without a built web application the last page is missing, but its address suffices
    found = re.search(r"installation_id=(\d+)", end)
    assert found, f"the sign-in ended at {end}"
    installation = found[1]
    body = json.dumps({"name": "Contract"}).encode()
    headers = {"Content-Type": "application/json", "Installation-Id": installation}
    create = urllib.request.Request(f"{site}/api/projects", body, headers)
    project = json.load(browser.open(create))["id"]
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar if cookie.name == "groundcrew")
    return cookies, installation, project


def run(
    site: str,
    data: str,
    login: str,
    *chosen: str,
    seconds: int = DEADLINE_OF_ONE,
    signed_in: bool = True,
    **more: Any,
) -> Ended:
    """Calls the operations that `chosen` selects, as a user of their own, whose sessions and projects no other run
    uses; returns how the tool ended."""
    cookie, installation, project = sign_in(site, login)
    command: list[str | Path] = [Path(sys.executable).parent / "schemathesis", "run", ROOT / "web/openapi.json"]
    command += ["--url", f"{site}/api"]
    command += ["--header", f"Installation-Id:{installation}", "--header", f"Project-Id:{project}"]
    if signed_in:
        command += ["--header", f"Cookie:{cookie}"]
    command += ["--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", str(SEED)]
    command += ["--checks", ",".join(CHECKS), "--generation-database", "none", "--no-shrink", "--no-color"]
    command += ["--max-time", str(seconds), "--request-timeout", "30", "--max-redirects", "0", "--continue-on-failure"]
    # One thread: Python 3.11 sometimes reports an error of its own when two parse source at a time, as Hypothesis does.
    command += ["--suppress-health-check", "all", "--warnings", "off", "--workers", "1"]
    command += chosen
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(HERE),
        "PYTHONHASHSEED": "0",
        "GROUNDCREW_PROJECT": str(project),
        "NO_PROXY": "localhost",
    }
    return subprocess.run(command, env=environment, cwd=data, check=False, **more)


def apart(site: str, data: str) -> list[Ended]:
    """Runs the operations that need separate runs, one after the other; returns how each ended, with its output."""
    ended = [run(site, data, "endless", "--include-path", ENDLESS, signed_in=False, **KEPT)]
    for number, path in enumerate(GOODBYES):
        ended.append(run(site, data, f"goodbye-{number}", "--include-path", path, **KEPT))
    for number, name in enumerate(DELETIONS):
        ended.append(run(site, data, f"deletion-{number}", "--include-operation-id", name, **KEPT))
    return ended


with tempfile.TemporaryDirectory(prefix="groundcrew-contract-") as data:
    stack, site = start(data)
    try:
        others = [word for path in (*GOODBYES, ENDLESS) for word in ("--exclude-path", path)]
        others += [word for name in DELETIONS for word in ("--exclude-operation-id", name)]
        # The tool uses only one processor, so the calls that change something and the separate runs use the other one.
        with ThreadPoolExecutor() as beside:
            changes = beside.submit(
                run, site, data, "changes", "--exclude-method", "GET", *others, seconds=DEADLINE, **KEPT
            )
            separate = beside.submit(apart, site, data)
            ended = [run(site, data, "reads", "--include-method", "GET", *others, seconds=DEADLINE)]
            for one in [changes.result(), *separate.result()]:
                print(one.stdout.decode(), end="", flush=True)
                ended.append(one)
    finally:
        stack.terminate()
        stack.wait()
sys.exit(max(one.returncode for one in ended))
