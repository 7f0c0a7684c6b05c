/** The project's home: its documentation, its sandbox, its downloads and the helper. */

import assert from "node:assert/strict";
import { answering, hold } from "../support/calls.ts";
import type { Cast } from "./witness.ts";
import { cutOff, trouble } from "./witness.ts";

const DOCUMENTATION = "**/api/documentation/current";
const SANDBOX = "**/api/sandbox/status/*";
const POLLS = 60;
const POLL_MS = 5_000;
const MINUTE_MS = 60_000;

const MISSING = {
  status: "success",
  documentation: "No documentation has been created yet.",
  quickstart: "No quickstart guide has been created yet.",
  key_value_data: null,
};
const WRITTEN = { ...MISSING, documentation: "# Ready\n", quickstart: "# Start here\n" };

export function home({ user, story, witness }: Cast) {
  /**
   * A person at the home of a project with documentation.
   * @param sandbox changes to the sandbox's usual status
   */
  async function atHome(
    t: TestContext,
    sandbox: Record<string, unknown>,
    { clock = false, section = "" } = {},
  ) {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    if (clock) await page.clock.install();
    await answering(page, DOCUMENTATION, { json: WRITTEN });
    await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, username: `user_1_${project}`, ...sandbox } });
    await page.goto(`/app/${project}/home${section}`);
    return { owner, page, project, header: page.getByRole("banner").or(page.locator("main")) };
  }

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

  story("documentation: reading fails, writing fails, or writing never ends", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    const generate = "**/api/documentation/generate";
    await answering(page, SANDBOX, { json: SANDBOX_BODY });
    await answering(page, DOCUMENTATION, trouble("The table is away", 400));
    await page.clock.install();
    await page.goto(`/app/${project}/home`);
    await witness.see(page, "Failed to load documentation");
    await witness.see(page, "Failed to load/generate documentation. Please try again.");

    await answering(page, DOCUMENTATION, { json: MISSING });
    for (const answer of [trouble("busy", 503), cutOff()]) {
      await page.unroute(generate);
      await answering(page, generate, answer);
      const asked = page.waitForRequest(generate);
      await button(page, "Try again").click();
      await asked;
      await witness.see(page, "Failed to load/generate documentation. Please try again.");
    }

    await hold(page, generate);
    await button(page, "Try again").click();
    await page.getByText("The documentation is being written").waitFor();
    for (let poll = 1; poll <= POLLS; poll += 1) {
      const read = page.waitForResponse(DOCUMENTATION);
      await page.clock.fastForward(POLL_MS);
      await read;
    }
    await witness.see(page, "Timeout waiting for documentation to be ready");
  });

  story("home: every state of the sandbox has its label", async (t) => {
    const { page } = await atHome(t, {});
    for (const [status, label, power] of [
      ["Running", "Running", "Stop Sandbox"],
      ["NotRunning", "Not Running", "Start Sandbox"],
      ["Stopped", "Stopped", "Start Sandbox"],
      ["Terminated", "Terminated", "Start Sandbox"],
      ["Pending", "Pending", "Start Sandbox"],
      ["Waiting", "Waiting", "Start Sandbox"],
      ["Exploded", "Unknown", "Start Sandbox"],
    ] as const) {
      await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, container_status: status } });
      await page.reload();
      await witness.seeState(page, label);
      await witness.seeControl(page, power);
      const usable = status === "Running" || status === "NotRunning";
      assert.equal(await button(page, power).isEnabled(), usable, status);
      for (const name of [
        "Download Workspace Directory",
        "Download Project Folder",
        "Backup Sandbox Files",
      ]) {
        assert.equal(await button(page, name).isEnabled(), status === "Running", `${name}, ${status}`);
      }
    }
  });

  story("home: how old the last backup is", async (t) => {
    const { page } = await atHome(t, { last_sync_time: null });
    await witness.see(page, "Never backed up");
    for (const [minutes, text, number] of [
      [0.3, "Just now"],
      [5, "{number} minutes ago", 5],
      [3 * 60, "{number} hours ago", 3],
      [30 * 60, "Yesterday"],
      [3 * 24 * 60, "{number} days ago", 3],
    ] as const) {
      const last_sync_time = new Date(Date.now() - minutes * MINUTE_MS).toISOString();
      await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, last_sync_time } });
      await page.reload();
      await witness.see(page, text, { number });
    }
  });

  story("home: stopping and starting, step by step and when a step fails", async (t) => {
    const { page } = await atHome(t, {});
    const [sync, stop, start] = [
      "**/api/sandbox/sync/**",
      "**/api/sandbox/stop/**",
      "**/api/sandbox/start/**",
    ] as const;
    const done = { json: { status: "success", detail: "" } };
    const stopping = button(page, "Stop Sandbox");

    await answering(page, sync, { json: { status: "error", detail: "disk full", error: "disk full" } });
    const syncing = await hold(page, sync);
    await stopping.click();
    await witness.seeControl(page, "Backing up sandbox...");
    syncing();
    await witness.see(page, "Failed to sync sandbox data: {error}. Please try again.", {
      error: "disk full",
    });
    await button(page, "Backup Sandbox Files").click();
    await witness.see(page, "Failed to sync sandbox data: {error}", { error: "disk full" });

    // A backup that takes longer than a call is waited for with another one.
    await page.unroute(sync);
    await answering(page, sync, done);
    const slow = { status: "pending", detail: "The workspace is still being backed up", transfer: "stop.1" };
    await page.route(sync, (route) =>
      route.request().url().includes("transfer=stop.1") ? route.fallback() : route.fulfill({ json: slow }),
    );
    await answering(page, stop, trouble());
    const ending = await hold(page, stop);
    await stopping.click();
    await witness.seeControl(page, "Stopping sandbox...");
    ending();
    await witness.see(page, "Failed to stop sandbox. Please ensure all your work is saved before stopping.");

    await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, container_status: "NotRunning" } });
    await page.reload();
    await answering(page, start, trouble());
    const beginning = await hold(page, start);
    await button(page, "Start Sandbox").click();
    await witness.seeControl(page, "Starting sandbox...");
    beginning();
    await witness.see(page, "Failed to start container");
  });

  story("home: a sandbox whose backup fails can be stopped without one", async (t) => {
    const { page } = await atHome(t, {});
    const error = "the zip of the workspace is larger than 2 GiB";
    await answering(page, "**/api/sandbox/sync/**", { json: { status: "error", detail: error, error } });
    await answering(page, "**/api/sandbox/stop/**", {
      json: { status: "success", detail: "Sandbox stopped" },
    });
    const anyway = button(page, "Stop without a backup");
    assert.equal(await anyway.count(), 0, "a stop backs up first");
    await button(page, "Stop Sandbox").click();
    await anyway.click();
    const asked = page.getByRole("dialog", { name: "Stop without a backup?" });
    await asked.getByText("What changed in the workspace since its last backup is lost.").waitFor();
    await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, container_status: "NotRunning" } });
    await asked.getByRole("button", { name: "Stop", exact: true }).click();
    await button(page, "Start Sandbox").waitFor();
    assert.equal(await anyway.count(), 0);
  });

  story("home: downloads that fail", async (t) => {
    const { page } = await atHome(t, {});
    await answering(page, "**/workspace/download", trouble());
    await answering(page, "**/workspace/folder_download?**", trouble());
    await button(page, "Download Workspace Directory").click();
    await witness.see(page, "Failed to download working directory");
    await button(page, "Download Project Folder").click();
    await witness.see(page, "Download failed. Please try again.");
    await answering(page, SANDBOX, { json: { ...SANDBOX_BODY, username: null } });
    await page.reload();
    await button(page, "Download Project Folder").click();
    await witness.see(page, "Failed to determine project path");
  });

  story("home: the sandbox, the documentation or the project cannot be loaded", async (t) => {
    const { page, project } = await atHome(t, {});
    await answering(page, SANDBOX, trouble("no", 400));
    await page.reload();
    await witness.see(page, "Failed to load container status");
    await answering(page, DOCUMENTATION, trouble("no", 400));
    await page.reload();
    await witness.see(page, "Failed to load project data");
    await page.getByRole("link", { name: "Return to Projects" }).waitFor();
    await answering(page, `**/api/projects/${project}`, trouble("The table is away", 400));
    await page.reload();
    await witness.see(page, "Failed to load project details");
    await page.getByRole("link", { name: "Return to Projects" }).click();
    await page.waitForURL("**/app");
  });

  story("result: nothing to show yet, and parts that cannot be read", async (t) => {
    const { page } = await atHome(t, {}, { section: "/result" });
    await witness.see(page, "The configuration data names no address.");
    await witness.see(page, "Nothing has been checked yet.");
    await witness.see(page, "This project has no credentials.");
    await witness.see(page, "The architecture plan has no estimate.");
    for (const [call, text] of [
      ["**/api/validation/progress", "The checks could not be read."],
      ["**/api/planning/credentials", "The names of the credentials could not be read."],
      ["**/api/planning/architecture-plan", "The architecture plan could not be read."],
    ] as const) {
      await answering(page, call, trouble("The table is away", 400));
      await page.reload();
      await witness.see(page, text);
      await page.unroute(call);
    }
  });

  story("helper: a message that is not accepted, and a reply that breaks off", async (t) => {
    const { page } = await atHome(t, {}, { section: "/devops-helper" });
    await page.getByRole("checkbox").click();
    await button(page, "Accept").click();
    const input = page.getByLabel("Message to DevOps Helper");
    for (const [answer, text] of [
      [trouble("busy", 503), "Failed to send message. Please try again."],
      [cutOff(), "Connection error. Please try again."],
    ] as const) {
      await answering(page, "**/api/devops-helper/chat", answer);
      await input.fill("Is it healthy?");
      await input.press("Enter");
      await witness.see(page, text);
      await page.waitForFunction(
        () => document.querySelector("[aria-label='Message to DevOps Helper']:enabled") !== null,
      );
    }
  });
}

const SANDBOX_BODY = {
  status: "READY",
  container_status: "Running",
  username: "user_1_2",
  last_sync_time: null,
  detail: null,
};
