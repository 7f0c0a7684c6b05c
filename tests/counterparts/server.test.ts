// Tests how the catalogue reaches a server, and the DevOps helper on it, with OpenSSH and systemd on a Debian server.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { product, type User } from "./product.ts";
import { begun, runInstead, stepIs } from "./project.ts";
import { server } from "./server.ts";

const STEPS = new URL("../../infra/blueprint/catalogue/parts/server/steps/", import.meta.url);
/** The line between a script and its proof, of shared/domain/src/script.rs. */
const PROOF = "# --- proof: the step is done only if the following passes ---";
const NAME = "orders";
const WISH = "A basic VPS at Hetzner, named orders, the other things by default";
const USER = "deploy";

/** A step of the catalogue with its proof, after what `before` does. */
async function catalogued(step: string, before = "") {
  const part = (end: string) => readFile(new URL(`${step}.${end}`, STEPS), "utf8");
  const [script, proof] = await Promise.all([part("sh"), part("proof.sh")]);
  const [first, ...rest] = script.split("\n");
  return `${first}\n${before}${rest.join("\n")}\n\n${PROOF}\n${proof}`.replaceAll("@name@", NAME);
}

/** What Terraform would have recorded about the server: its outputs, and nothing that it could change. */
function state(address: string) {
  const output = (value: string) => ({ value, type: "string" });
  const outputs = { public_ip: output(address), ssh_user: output(USER) };
  const text = JSON.stringify({ version: 4, serial: 1, lineage: NAME, outputs, resources: [] });
  return `mkdir -p terraform\ncat >terraform/terraform.tfstate <<'STATE'\n${text}\nSTATE\n`;
}

/** The DevOps helper's reply; readings run before it answers. */
async function answer(user: User, message: string) {
  const chat = await user.call("POST", "/devops-helper/chat", { message });
  assert.equal(chat.status, 200);
  const events = (await chat.text()).matchAll(/^data: (.*)$/gm);
  return [...events].map(([, event]) => JSON.parse(event ?? "").chunk?.content ?? "").join("");
}

test("a sandbox reaches a server by the configuration that a step wrote, and systemd restarts a service", async (context) => {
  const machine = await server(context);
  if (machine.skipped) {
    assert.ok(!process.env.CI, machine.skipped);
    return context.skip(machine.skipped);
  }
  const unit = `[Service]\\nExecStart=/usr/bin/sleep infinity\\n[Install]\\nWantedBy=multi-user.target\\n`;
  await machine.run(`useradd --create-home --shell /bin/bash ${USER}
    echo '${USER} ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/${USER}
    printf '${unit}' >/etc/systemd/system/${NAME}.service
    systemctl daemon-reload && systemctl start ${NAME}`);
  const stack = await product(context);
  const user = await stack.signIn("ada");

  // The key is generated in the sandbox; the server gets its public half, as from Terraform.
  const waiting = await begun(user, WISH);
  await runInstead(user, waiting, await catalogued("generate-key", "cat ssh/*.pub 2>/dev/null || true\n"));
  await stepIs(user, "completed");
  const show = `set -euo pipefail\ncat ssh/${NAME}_ed25519.pub\n\n${PROOF}\ntest -s ssh/${NAME}_ed25519.pub\n`;
  await runInstead(user, await stepIs(user, "waiting_approval", 2), `#!/usr/bin/env bash\n${show}`);
  const { step: shown } = await stepIs(user, "completed", 2);
  const key = /^ssh-ed25519 \S+/m.exec(shown.output)?.[0];
  await machine.run(`install -d -m 700 -o ${USER} ~${USER}/.ssh
    echo '${key}' >~${USER}/.ssh/authorized_keys && chown ${USER} ~${USER}/.ssh/authorized_keys`);

  // The first login writes ssh/config and records the server's key.
  const login = await catalogued("test-ssh", state(machine.address));
  await runInstead(user, await stepIs(user, "waiting_approval", 3), login);
  const { step: loggedIn } = await stepIs(user, "completed", 3);
  assert.match(loggedIn.output, /Logged in after \d+ attempt/);
  assert.match(loggedIn.output, /Debian GNU\/Linux 12/);
  assert.match(loggedIn.output, new RegExp(`Proved: ssh -F ssh/config ${NAME} logs in`));

  const healthy = await answer(user, "Is the server healthy?");
  assert.match(healthy, /load average/);
  assert.match(healthy, /^running$/m, healthy);

  // systemd restarts a service for the user who logs in.
  const pid = () => machine.run(`systemctl show --property MainPID --value ${NAME}`);
  const before = await pid();
  const restart = `#!/usr/bin/env bash
set -euo pipefail
ssh -F ssh/config server sudo systemctl restart ${NAME}

${PROOF}
ssh -F ssh/config server systemctl is-active ${NAME}
`;
  await runInstead(user, await stepIs(user, "waiting_approval", 4), restart);
  await stepIs(user, "completed", 4);
  assert.notEqual(await pid(), before);

  // A server that presents another key is not contacted.
  await machine.run("rm /etc/ssh/ssh_host_* && ssh-keygen -A && systemctl restart ssh");
  const stranger = await answer(user, "Is the server healthy?");
  assert.match(stranger, /Host key verification failed/);
  assert.doesNotMatch(stranger, /load average/);
});
