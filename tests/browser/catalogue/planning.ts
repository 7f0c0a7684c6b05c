/** The planning stages: their chats, their documents, and confirming the plan so that the sandbox starts. */

import assert from "node:assert/strict";
import type { Answer } from "../support/calls.ts";
import { answering, hold } from "../support/calls.ts";
import { WISH } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";
import type { Cast } from "./witness.ts";
import { reply, trouble } from "./witness.ts";

const ATTEMPTS = 30;
const ATTEMPT_GAP_MS = 10_000;

export function planning({ user, story, witness }: Cast) {
  story("planning: documents that load, fail and are confirmed", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    const enter = (id: string) =>
      owner.call("PUT", `/project-states/${project}/current-stage/${id}`, { project });
    for (const [stage, path, failed, loading] of [
      ["requirements", "requirements", "Error loading requirements"],
      [
        "architecture",
        "architecture-plan",
        "Error loading architecture plan",
        "Loading architecture plan...",
      ],
      [
        "implementation",
        "implementation-plan",
        "Error loading implementation plan",
        "Loading implementation plan...",
      ],
    ] as const) {
      await enter(stage);
      const pattern = `**/api/planning/${path}`;
      await answering(page, pattern, trouble("The table is away", 400));
      const release = await hold(page, pattern);
      await owner.open(project);
      if (loading) await witness.see(page, loading);
      release();
      await witness.see(page, failed);
      const confirm = page.getByRole("button", { name: /^Confirm / });
      assert.ok(await confirm.isDisabled(), `${stage} can be confirmed`);
      await page.unroute(pattern);
    }
  });

  story("planning: the buttons' labels before, during and after", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const workspace = new Workspace(page);
    await owner.open(await owner.projectAt("requirements"));
    await witness.seeControl(page, "You can continue only after the agent is clear about the requirements");
    const reading = await hold(page, "**/api/planning/requirements-gatherer");
    await page.getByLabel("Message to Requirements agent").fill(WISH);
    await workspace.button("Send").click();
    await witness.see(page, "Thinking...");
    reading();
    await witness.seeControl(page, "Confirm Requirements & Continue");
    for (const [agent, button, busy] of [
      ["cloud-architect", "Confirm Requirements & Continue", "Generating Architecture Plan..."],
      ["implementation-planner", "Confirm Architecture & Continue", "Generating Implementation Plan..."],
    ] as const) {
      const release = await hold(page, `**/api/planning/${agent}`);
      await workspace.button(button).click();
      await witness.seeControl(page, busy);
      release();
      await workspace.button(busy).waitFor({ state: "detached" });
      if (agent === "cloud-architect") await witness.seeControl(page, "Confirm Architecture & Continue");
    }
    await witness.seeControl(page, "Confirm Plan & Start Execution");
  });

  story("planning: a reply that does not come, and the thread of one that does", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const workspace = new Workspace(page);
    await owner.open(await owner.projectAt("requirements"));
    const path = "**/api/planning/requirements-gatherer";
    await answering(page, path, trouble("busy", 503));
    await workspace.say("Requirements agent", "Hello there");
    await witness.see(page, "Sorry, I encountered an error. Please try again.");
    await page.unroute(path);
    await answering(
      page,
      path,
      reply({ event: "on_chat_model_stream", chunk: { content: "Yes" }, thread_id: "t" }),
    );
    await workspace.say("Requirements agent", "And now");
    await witness.see(page, "Thread ID {id}", { id: "t" });
  });

  story("planning: a sandbox that cannot be prepared", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    const workspace = new Workspace(page);
    const confirm = workspace.button("Confirm Plan & Start Execution");
    const status = (status: string) =>
      answering(page, "**/api/sandbox/status/*", { json: { status, container_status: "Pending" } });
    const initialize = (answer: Answer) => answering(page, "**/api/sandbox/initialize/*", answer);

    await owner.open(project);
    await confirm.waitFor();
    await status("FAILED");
    await confirm.click();
    await witness.see(page, "Container creation failed. Please try again or contact support.");

    await status("READY");
    await initialize({ status: 422, json: { detail: "The API key of Hetzner is missing", code: "invalid" } });
    const release = await hold(page, "**/api/sandbox/initialize/*");
    await confirm.click();
    await witness.see(page, "Container is ready, initializing sandbox...");
    await witness.seeControl(page, "Initializing Sandbox Environment...");
    await witness.see(page, "Initializing sandbox environment (Attempt {number})...", { number: 1 });
    release();
    await witness.see(
      page,
      "You need to provide cloud provider credentials during the requirements gathering phase before proceeding.",
    );
    await page.getByText("Cloud provider credentials are collected during requirements gathering.").waitFor();
    await witness.seeControl(page, "Return to Requirements");

    await status("CREATING");
    await initialize({ json: { status: "error", detail: "" } });
    const again = await hold(page, "**/api/sandbox/initialize/*");
    await confirm.click();
    await witness.see(page, "Container is being created, please wait...");
    again();
    await witness.see(page, "Failed to initialize sandbox environment");

    await page.evaluate(() => {
      const button = [...document.querySelectorAll("button")].find((it) =>
        it.textContent.startsWith("Confirm Plan"),
      );
      sessionStorage.clear();
      button?.click();
    });
    await witness.see(page, "No installation ID found");
  });

  story("planning: a sandbox that never becomes ready", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    await page.clock.install();
    await owner.open(project);
    let attempts = 0;
    await page.route("**/api/sandbox/initialize/*", (route) => {
      attempts += 1;
      return route.fulfill({ json: { status: "error", detail: "The container is still being created" } });
    });
    await new Workspace(page).button("Confirm Plan & Start Execution").click();
    for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
      await witness.see(page, "Waiting for container to be ready...");
      assert.equal(attempts, attempt);
      const next = page.waitForResponse((response) => response.url().includes("/sandbox/initialize/"));
      await page.clock.fastForward(ATTEMPT_GAP_MS);
      await next;
    }
    await witness.see(page, "Timeout waiting for sandbox initialization");
    assert.equal(attempts, ATTEMPTS);
  });

  story("planning: an address with an impossible project id", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("implementation");
    const state = await owner.call("GET", `/project-states/${project}`, { project });
    const known = await owner.call("GET", `/projects/${project}`, { project });
    await answering(page, "**/api/projects/*", { json: known });
    await answering(page, "**/api/project-states/*", { json: state });
    await page.goto("/app/99999999999999999999");
    await witness.see(page, "Invalid project ID: {id}. Please ensure you're viewing a valid project.", {
      id: "100000000000000000000",
    });
  });
}
