/** The second half of the main path: from an execution to infrastructure that its owner downloads. */

import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { WISH } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";
import { commandsOf, runIn, unpacked } from "../support/zip.ts";

const { user, story } = scene();

const FILES = [
  "service.py",
  "service.json",
  "control.sh",
  "check-health.sh",
  "docker-compose.yml",
  "README.md",
];

story(
  "from the execution through validation, documentation and helper to files that run elsewhere",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const port = await freePort();
    const project = await owner.projectAt("execution", {
      wish: `${WISH}, and call it order-status, on port ${port}`,
    });
    await validated(owner, project);

    await page.getByText("order-status").first().waitFor();
    await page.getByRole("link", { name: "Full Documentation" }).click();
    await page.getByRole("heading", { name: "What was validated" }).waitFor();
    for (const fact of [`http://127.0.0.1:${port}/healthz`, "Health answers 200 with status ok"]) {
      await page.getByText(fact).first().waitFor();
    }

    await helped(page, port);

    await runsElsewhere(await bothDownloads(t, page, project), port);
    await stoppedAndStarted(owner, project);
  },
);

/** Has the steps and the checks approved automatically, and continues to the project's home. */
async function validated(owner: User, project: number) {
  const { page } = owner;
  await owner.open(project);
  const execution = new Workspace(page);
  await execution.step(1).is("waiting approval");
  await execution.autoApprove.click();
  await execution.stage("Validation").waitFor();
  const checks = new Workspace(page, "Validation progress");
  await checks.step(1).card.waitFor();
  await checks.autoApprove.click();
  await page.getByText("All validation steps completed successfully!").waitFor();
  const first = checks.step(1);
  await first.open();
  assert.match(await first.output.innerText(), /^HTTP\/1\.[01] 200 OK/, "a check keeps its evidence");
  await checks.button("View Project Documentation").click();
  await page.waitForURL(/\/home$/);
}

/** Asks the helper for a reading, and for a change. */
async function helped(page: Page, port: number) {
  await page.getByRole("link", { name: "DevOps Helper Chat" }).click();
  const accept = page.getByRole("button", { name: "Accept" });
  assert.ok(await accept.isDisabled(), "the warning can be passed unread");
  await page.getByRole("checkbox").click();
  await accept.click();
  assert.equal(await page.evaluate(() => localStorage.getItem("devopsHelperWarningAccepted")), "true");

  const workspace = new Workspace(page);
  await workspace.say("DevOps Helper", "Is it healthy?");
  await page.getByText("Read-only, so it ran immediately.").waitFor();
  await page.getByText("Yes: order-status runs").waitFor();
  await page
    .getByRole("group", { name: "Script of command 1" })
    .getByText(`127.0.0.1:${port}/healthz`)
    .waitFor();
  assert.equal(await workspace.button("Approve").count(), 0, "reading needs no approval");

  const input = page.getByLabel("Message to DevOps Helper");
  await input.fill("Restart the service");
  await input.press("Enter");
  await workspace.button("Approve").click();
  await page
    .getByRole("log", { name: "Output of command 2" })
    .getByText(/started, pid/)
    .waitFor();
  await page.getByText("The service was restarted and is healthy.").waitFor();
  await page.getByText(/^Thread ID \S+/).waitFor();
}

/** Both zips contain what was built; returns the service's folder in one of them. */
async function bothDownloads(t: TestContext, page: Page, project: number) {
  const press = (name: string) => () => page.getByRole("button", { name }).click();
  const workspace = await unpacked(
    t,
    page,
    press("Download Workspace Directory"),
    `${project}-working-directory.zip`,
  );
  const { username } = await page.evaluate(async (project) => {
    const headers = { "Installation-Id": sessionStorage.getItem("github_installation_id") ?? "" };
    return (await fetch(`/api/sandbox/status/${project}`, { headers })).json();
  }, project);
  const [, installation, number] = username.split("_");
  const home = await unpacked(
    t,
    page,
    press("Download Project Folder"),
    `user_${installation}_${number}.zip`,
  );
  const [inWorkspace, inHome] = await Promise.all([serviceIn(workspace), serviceIn(home)]);
  for (const folder of [inWorkspace, inHome]) {
    for (const file of FILES) await access(join(folder, file));
  }
  return inWorkspace;
}

/** The service's folder, which may lie in a folder of the workspace's own. */
async function serviceIn(folder: string) {
  const found = await runIn(folder, "find . -name service.py -printf '%h\\n'");
  assert.equal(found.trim().split("\n").length, 1, `one service: ${found}`);
  return join(folder, found.trim());
}

/** Follows the README of the downloaded service on this machine, and stops what it has started. */
async function runsElsewhere(folder: string, port: number) {
  try {
    let printed = "";
    for (const command of await commandsOf(folder, "Here")) printed += await runIn(folder, command);
    assert.match(printed, new RegExp(`started, pid \\d+: .*${port}`));
    assert.match(printed, /healthy after/);
    assert.match(printed, /<html/i);
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    assert.equal((await health.json()).status, "ok");
  } finally {
    process.kill(Number(await readFile(join(folder, "service.pid"), "utf8")), "SIGTERM");
  }
}

/** Stops the sandbox, which is backed up first, starts it again, and finds the same files. */
async function stoppedAndStarted(owner: User, project: number) {
  const { page } = owner;
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname.startsWith("/api/sandbox/")) calls.push(pathname);
  });
  await page.getByRole("button", { name: "Stop Sandbox" }).click();
  await page.getByRole("status").getByText("Sandbox Not Running", { exact: true }).waitFor();
  const did = (call: string) => `/api/sandbox/${call}/${project}`;
  assert.deepEqual(calls, [did("sync"), did("stop")], "the backup comes first");
  await page.getByText("Just now").waitFor();

  await page.getByRole("button", { name: "Start Sandbox" }).click();
  await page.getByRole("status").getByText("Sandbox Running", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Terminal" }).click();
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run("ls order-status && ./order-status/control.sh start");
  await terminal.shows(/service\.py[\s\S]*started, pid/);
}

/** A port that nothing listens on, on this machine. */
function freePort() {
  return new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
