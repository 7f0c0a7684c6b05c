// Day two of an existing server: it is changed, a change that fails is rolled back, and manual changes are found,
// named, left in place, and reverted by the step that built the server. The server is Debian under systemd with
// OpenSSH, the tool is Ansible, and packages come from Debian's archive.

import assert from "node:assert/strict";
import { test } from "node:test";
import { differences, inventory } from "./machine.ts";
import { product, type Schemas, soon, type User } from "./product.ts";
import { approve, confirm, planned, runInstead, type Seen, stepIs } from "./project.ts";
import { type Machine, server } from "./server.ts";

/** The line between a script and its proof, of shared/domain/src/script.rs. */
const PROOF = "# --- proof: the step is done only if the following passes ---";
const WISH = "A basic VPS at Hetzner, named orders, the other things by default";
const CHANGE = "also add Redis, give Redis 64 MB";
const PASSWORD = 'it\'s a "pass" $word #1';
const USER = "deploy";
/** Titles of checks. */
const PORTS = "Only the planned ports are open";
const STARTS = "All that runs starts with the server";
const PLAYBOOK_AGAIN = "A second run of the playbook changes nothing";
const ANSWERS = "Redis answers to its password only";
const DURABLE = "Redis keeps its data over a restart";
const REDIS_AGAIN = "A second installation of Redis changes nothing";

/**
 * The login and the package index that the first boot creates, and fewer of systemd's namespaces for Redis, which a
 * container may not create.
 */
const FIRST_BOOT = `useradd --create-home --shell /bin/bash ${USER}
echo '${USER} ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/${USER}
install -d -m 700 -o ${USER} -g ${USER} ~${USER}/.ssh
mkdir -p /etc/systemd/system/redis-server.service.d
cat >/etc/systemd/system/redis-server.service.d/container.conf <<'UNIT'
[Service]
PrivateUsers=no
PrivateDevices=no
ProtectKernelTunables=no
ProtectControlGroups=no
ProtectHostname=no
ProtectProc=default
ProtectSystem=no
NoExecPaths=
ExecPaths=
UNIT
systemctl daemon-reload
apt-get --quiet --quiet update`;

/** What the server says of logins, for the report of a failure. */
const LOGINS =
  "systemctl --failed --no-pager; journalctl --no-pager --lines 60 --unit ssh --unit systemd-logind --unit 'user@*'";

/** Terraform without a provider: the server exists, and its outputs are set. */
const played = (address: string) => `rm terraform/main.tf terraform/versions.tf
printf 'output "public_ip" {\\n  value = "%s"\\n}\\n\\noutput "ssh_user" {\\n  value = "%s"\\n}\\n' \\
  ${address} ${USER} >terraform/outputs.tf
printf '# None\\n' | tee terraform/main.tf terraform/versions.tf >terraform/.terraform.lock.hcl
cat ssh/*.pub
`;

const began = Date.now();
/** Prints progress: the test takes minutes. */
const say = (what: string) => console.log(`${Math.round((Date.now() - began) / 1000)} s: ${what}`);

/** A waiting step's script with additions before its proof. */
const followedBy = ({ step }: Seen, more: string) =>
  scriptOf(step).replace(`\n${PROOF}`, `\n${more}\n${PROOF}`);

function scriptOf(step: Schemas["StepBody"]): string {
  assert.ok(step.command, "a prepared step has a script");
  return step.command;
}

/** Runs the steps of a plan from the given one on, each as its agent wrote it. */
async function carriedOut(user: User, first = 1) {
  const { totalSteps } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
  for (let number = first; number <= totalSteps; number += 1) {
    await approve(user, await stepIs(user, "waiting_approval", number));
    const { step } = await stepIs(user, "completed", number);
    say(`step ${number}, ${step.description}`);
  }
}

/** Has the checks planned, and runs each; all of them pass. */
async function validated(user: User) {
  await confirm(user, "implementation", "execution");
  await confirm(user, "execution", "validation");
  await (await user.call("POST", "/validation/agent", { message: "Create a validation plan" })).text();
  await user.json("POST", "/validation/trigger", { message: "Start validation" });
  const { steps } = await user.json<Schemas["ValidationProgress"]>("GET", "/validation/progress");
  for (const { step_number } of steps) {
    const is = (status: string) =>
      soon(`check ${step_number} to be ${status}`, async () => {
        const progress = await user.json<Schemas["ValidationProgress"]>("GET", "/validation/progress");
        const check = progress.steps[step_number - 1];
        assert.ok(check);
        assert.notEqual(check.status, "failed", JSON.stringify(check, null, 1));
        return check.status === status && check;
      });
    const { command_sha256 } = await is("waiting_approval");
    await user.json("POST", "/validation/approve-step", { step_number, approved: true, command_sha256 });
    const { description } = await is("completed");
    say(`check ${step_number}, ${description}`);
  }
  await confirm(user, "validation");
}

/** Builds the server: the key's public half is installed there as Hetzner would. */
async function built(user: User, machine: Machine) {
  await approve(user, await planned(user, WISH));
  await stepIs(user, "completed");
  const second = await stepIs(user, "waiting_approval", 2);
  await runInstead(user, second, followedBy(second, played(machine.address)));
  const { step } = await stepIs(user, "completed", 2);
  const key = /^ssh-ed25519 \S+/m.exec(step.output)?.[0];
  await machine.run(
    `echo '${key}' >~${USER}/.ssh/authorized_keys && chown ${USER} ~${USER}/.ssh/authorized_keys`,
  );
  await approve(user, await stepIs(user, "waiting_approval", 3));
  await stepIs(user, "completed", 3);
  // If the public address cannot be looked up, an address reserved for documentation takes its place.
  const fourth = await stepIs(user, "waiting_approval", 4);
  const asked = scriptOf(fourth.step).replace(/^(address=\$\(curl .*)\)$/m, "$1 || echo 192.0.2.1)");
  assert.notEqual(asked, fourth.step.command);
  await runInstead(user, fourth, asked);
  await stepIs(user, "completed", 4);
  await carriedOut(user, 5);
  await validated(user);
}

/** Begins a change and plans it; its first step waits. */
async function changed(user: User, wish: string) {
  await user.json("POST", `/projects/${user.project}/changes`, { wish });
  return planned(user, wish);
}

/** Runs the rollback that is shown, and ends the change. */
async function rolledBack(user: User, number: number) {
  const { id: plan_id, rollback } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
  assert.ok(rollback, "what has run can be rolled back");
  const decision = { plan_id, step_number: rollback.step_number, approved: true, roll_back: true };
  const rollback_sha256 = rollback.rollback.sha256;
  await user.json("POST", "/execution/approve-step", { ...decision, rollback_sha256 });
  const run = await soon("the change to be rolled back", async () => {
    const { rollback } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
    assert.notEqual(rollback?.run?.status, "failed", JSON.stringify(rollback?.run, null, 1));
    return rollback?.run?.status === "completed" && rollback.run;
  });
  assert.match(run.output, /Proved: /);
  const ended = await user.json<Schemas["Change"]>("DELETE", `/projects/${user.project}/changes/${number}`);
  assert.equal(ended.status, "rolled_back");
}

/** Runs all checks again; returns those that find drift, by title, each with the requirements that it proves. */
async function drifted(user: User) {
  await user.json("POST", "/validation/drift/check", {});
  const checks = await soon("the checks to end", async () => {
    const { checks } = await user.json<Schemas["Drift"]>("GET", "/validation/drift");
    return !checks.some(({ status }) => ["waiting", "checking"].includes(status)) && checks;
  });
  for (const check of checks) assert.notEqual(check.status, "unknown", JSON.stringify(check, null, 1));
  const found = checks.filter(({ status }) => status === "drifted");
  return new Map(
    found.map(({ description, output, requirements }) => [
      description,
      { output, proves: requirements.map(({ wish }) => wish) },
    ]),
  );
}

/** What a check found that is known to have found something. */
function found(all: Awaited<ReturnType<typeof drifted>>, title: string) {
  const one = all.get(title);
  assert.ok(one, title);
  return one;
}

/** Runs a step once more, as suggested by a check that found drift. */
async function renewed(user: User, number: number, offer: string) {
  const { id: plan_id, steps } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
  const step = steps.find(({ step_number }) => step_number === number);
  assert.ok(step);
  assert.ok(offer.includes(`The step '${step.description}' makes it so again.`), offer);
  await approve(user, { step, plan_id });
  await soon("the step to run once more", async () => {
    const { steps } = await user.json<Schemas["Progress"]>("GET", "/execution/progress");
    const now = steps.find(({ step_number }) => step_number === number);
    assert.ok(now);
    assert.notEqual(now.status, "failed", JSON.stringify(now, null, 1));
    return now.status === "completed" && now.attempt !== step.attempt;
  });
}

/** Runs all checks again, twice: they find the same both times, and do not change the server. */
async function driftedAndLeft(user: User, machine: Machine) {
  const before = await inventory(machine);
  const first = await drifted(user);
  const again = await drifted(user);
  assert.deepEqual([...again.keys()], [...first.keys()]);
  assert.deepEqual(differences(before, await inventory(machine)), []);
  return again;
}

test("a server is changed, a failed change is rolled back, and drift is named", async (context) => {
  const machine = await server(context);
  if (machine.skipped) {
    assert.ok(!process.env.CI, machine.skipped);
    return context.skip(machine.skipped);
  }
  say("the server runs");
  await machine.run(FIRST_BOOT);
  const stack = await product(context);
  const user = await stack.signIn("ada");
  user.project = (await user.json<Schemas["Project"]>("POST", "/projects", { name: "Orders" })).id;
  await user.json("PUT", "/planning/credentials/hetzner", { values: { HCLOUD_TOKEN: "played" } });
  await user.json("PUT", "/planning/credentials/other", { values: { REDIS_PASSWORD: PASSWORD } });
  await built(user, machine).catch(async (failure: unknown) => {
    console.log(await machine.run(LOGINS));
    throw failure;
  });
  const before = await inventory(machine);
  say("the server is built and validated");

  // Its last step fails after it has done all of its work, which is then rolled back.
  await approve(user, await changed(user, CHANGE));
  await stepIs(user, "completed");
  const last = await stepIs(user, "waiting_approval", 2);
  await runInstead(user, last, followedBy(last, "echo 'no space left' >&2\nexit 1\n"));
  const { step: failed } = await stepIs(user, "failed", 2);
  assert.match(failed.output, /no space left/);
  assert.notDeepEqual(differences(before, await inventory(machine)), []);
  say("Redis is installed, and the step failed");
  await rolledBack(user, 2);
  assert.deepEqual(differences(before, await inventory(machine)), []);
  say("the change is rolled back");

  await changed(user, CHANGE);
  await carriedOut(user);
  await validated(user);
  const ask = (words: string) =>
    machine.run(`REDISCLI_AUTH=${quoted(PASSWORD)} redis-cli -h 127.0.0.1 ${words}`);
  assert.equal((await ask("set kept yes")).trim(), "OK");
  assert.equal((await ask("get kept")).trim(), "yes");
  assert.match(await machine.run("redis-cli -h 127.0.0.1 get kept"), /NOAUTH/);
  say("Redis is installed and validated");

  const { checks } = await user.json<Schemas["Drift"]>("GET", "/validation/drift");
  const standing = checks.map(({ step_number, command_sha256 }) => ({ step_number, command_sha256 }));
  await user.json("POST", "/validation/drift/approve", { checks: standing });
  await machine.run("systemctl stop redis-server");
  const stopped = await driftedAndLeft(user, machine);
  assert.deepEqual([...stopped.keys()], [ANSWERS, DURABLE, REDIS_AGAIN]);
  assert.match(found(stopped, ANSWERS).output, /Connection refused/);
  const asked = ["A basic VPS", "Also on the server: redis", "Redis's memory in MB: 64"];
  for (const { proves } of stopped.values()) assert.deepEqual(proves, asked);
  assert.match(found(stopped, REDIS_AGAIN).output, /Run Redis from the start/);
  assert.equal((await machine.run("systemctl is-active redis-server || true")).trim(), "inactive");
  say("Redis was stopped by hand; both rechecks named that and changed nothing");

  await renewed(user, 2, found(stopped, REDIS_AGAIN).output);
  assert.deepEqual([...(await drifted(user)).keys()], []);
  assert.equal((await ask("get kept")).trim(), "yes");
  say("the step that installs Redis has restarted it");

  await machine.run(`sed -i 's/^maxmemory .*/maxmemory 32mb/' /etc/redis/added.conf
    systemctl restart redis-server && ufw allow 3306/tcp && ufw allow 8081/tcp && ufw allow from 192.0.2.7
    systemd-run --quiet --unit by-hand python3 -m http.server 8082
    until ss --no-header --listening --tcp --numeric 'sport = :8082' | grep --quiet .; do sleep 0.1; done`);
  const edited = await driftedAndLeft(user, machine);
  assert.deepEqual([...edited.keys()], [PORTS, PLAYBOOK_AGAIN, STARTS, ANSWERS, REDIS_AGAIN]);
  const ports = found(edited, PORTS);
  assert.match(ports.output, /port 3306 is let through by the firewall/);
  assert.match(ports.output, /port 8082 is not described, and something listens there .*python3/);
  for (const rule of ["ufw allow 3306/tcp", "ufw allow 8081/tcp", "ufw allow from 192.0.2.7"]) {
    assert.ok(ports.output.includes(`a rule that is not described: ${rule}\n`), ports.output);
  }
  assert.deepEqual(ports.proves, ["A basic VPS"]);
  assert.match(found(edited, STARTS).output, /nothing starts these with the server: by-hand\.service/);
  assert.match(found(edited, PLAYBOOK_AGAIN).output, /Close the ports.*3306.*8081.*changed=1/s);
  assert.match(found(edited, REDIS_AGAIN).output, /Write the settings/);
  assert.match(found(edited, ANSWERS).output, /memory: 33554432 bytes/);
  assert.deepEqual(found(edited, ANSWERS).proves, asked);
  assert.match(await machine.run("cat /etc/redis/added.conf"), /maxmemory 32mb/);
  say("a setting was edited and ports were opened by hand; both rechecks named that and changed nothing");

  await renewed(user, 2, found(edited, REDIS_AGAIN).output);
  assert.deepEqual([...(await drifted(user)).keys()], [PORTS, PLAYBOOK_AGAIN, STARTS]);
  say("the step that installs Redis has restored the setting");
});

/** Quotes a word for the shell. */
function quoted(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
