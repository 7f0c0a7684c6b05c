/** The execution, the terminal next to it, and continuing to validation. */

import assert from "node:assert/strict";
import type { WebSocketRoute } from "playwright-core";
import { answering, hold } from "../support/calls.ts";
import { TerminalPane } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";
import type { Cast } from "./witness.ts";
import { cutOff, reply, trouble } from "./witness.ts";

const PROGRESS = "**/api/execution/progress";
/** A ticket that was never issued: the socket that it would open is refused. */
const NO_TICKET = "never-given";

export function execution({ user, story, witness }: Cast) {
  story("execution: progress that loads, fails, lacks its steps or has none", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await answering(page, PROGRESS, trouble("The table is away", 400));
    const release = await hold(page, PROGRESS);
    await owner.open(project);
    await witness.see(page, "Loading execution progress...");
    release();
    await witness.see(page, "Failed to load execution progress");
    const empty = { id: "p", currentStep: 0, totalSteps: 0 };
    await answering(page, PROGRESS, { json: { ...empty, steps: null } });
    await page.getByRole("button", { name: "Try again" }).click();
    await witness.see(page, "No steps data available");
    // The page also reads on its own schedule, so its button may be gone before a click.
    await answering(page, PROGRESS, { json: { ...empty, steps: [] } });
    await page.reload();
    await witness.see(page, "No execution steps available");
  });

  story("execution: a failed decision is reported, and failed costs are only logged", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    await owner.open(await owner.projectAt("execution"));
    const step = new Workspace(page).step(1);
    await step.is("waiting approval");
    const logged = page.waitForEvent("console", (message) => message.text().includes("could not be changed"));
    await answering(page, "**/api/execution/approve-step", trouble("no", 409));
    await answering(page, "**/api/projects/*/costs", trouble("no", 400));
    await step.approve.click();
    await logged;
    await witness.see(page, "This command was not approved. {message}", { message: "no" });
    await step.is("waiting approval");
    assert.ok(await step.approve.isEnabled(), "it can be tried again");
    await step.reject.click();
    await witness.see(page, "This command was not rejected. {message}", { message: "no" });
    assert.equal(await page.getByRole("alert").count(), 1, "one alert, and none about the costs");
  });

  story("execution: a script that is not saved, and a command that changed after it was shown", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    await owner.open(await owner.projectAt("execution"));
    const step = new Workspace(page).step(1);
    await step.card.getByRole("button", { name: "Review", exact: true }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const editor = page.getByRole("dialog", { name: /^Edit: / });
    await editor.getByLabel("Text of step 1").fill("true");
    await answering(page, "**/api/execution/edit-step", trouble("The table is away", 409));
    await editor.getByRole("button", { name: "Save as your script" }).click();
    await witness.see(editor, "This script was not saved. {message}", { message: "The table is away" });
    await page.keyboard.press("Escape");
    await witness.see(editor, "Your changes are not saved.");
    await editor.getByRole("button", { name: "Close without saving" }).click();
    await editor.waitFor({ state: "hidden" });
    await answering(page, "**/api/execution/approve-step", {
      status: 409,
      json: { detail: "changed", code: "command_changed", request_id: "r" },
    });
    await step.approve.click();
    await witness.see(
      page,
      "The command changed after it was shown to you. Read the new one below before you approve it.",
    );
  });

  story("execution: a validation plan, a trigger and a stage change that fail", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    await owner.open(project);
    const go = new Workspace(page).button("Proceed to Validation Stage");
    await witness.see(page, "All execution steps completed successfully!");
    await witness.seeControl(page, "Proceed to Validation Stage");
    const agent = "**/api/validation/agent";
    const trigger = "**/api/validation/trigger";
    const stage = `**/api/project-states/${project}/stages/execution`;
    for (const [pattern, answer, text] of [
      [agent, trouble(), "Failed to create validation plan. Please try again or contact support."],
      [agent, cutOff(), "Failed to create validation plan. Please try again or contact support."],
      [agent, reply(), undefined],
      [trigger, trouble(), "Failed to start validation. Please try again or contact support."],
      [
        trigger,
        { json: { status: "error", detail: "no" } },
        "Failed to start validation process. Please try again.",
      ],
      [trigger, { json: { status: "success", detail: "" } }, undefined],
      [stage, trouble(), "Failed to move to validation stage. Please try again or contact support."],
    ] as const) {
      await page.unroute(pattern);
      await answering(page, pattern, answer);
      if (!text) continue;
      await go.click();
      await witness.see(page, text);
      assert.ok(await go.isEnabled(), "it can be tried again");
    }
  });

  story(
    "terminal: a connection that cannot be made, is lost, and a command with no shell to take it",
    async (t) => {
      const owner = await user(t);
      const { page } = owner;
      const project = await owner.projectAt("execution");
      const terminal = new TerminalPane(page);
      const tickets = "**/api/terminal/ticket";
      const sockets = `${new URL(page.url()).origin.replace("http", "ws")}/ws`;
      await answering(page, tickets, { json: { ticket: NO_TICKET, url: sockets } });
      await answering(page, "**/api/terminal/commands", {
        headers: { "content-type": "text/event-stream" },
        body: 'id: 1\ndata: {"command":"ls"}\n\n',
      });
      let server: WebSocketRoute | undefined;
      await page.routeWebSocket(/\/ws\?ticket/, (socket) => {
        if (!socket.url().endsWith(NO_TICKET)) server = socket;
        socket.connectToServer();
      });
      await owner.open(project);
      await witness.seeDrawn(terminal, "Connection error. Please try again.");
      await witness.seeDrawn(terminal, "Error executing command");
      await page.unroute(tickets);
      await terminal.connected();
      await answering(page, tickets, trouble());
      await server?.close();
      await witness.seeDrawn(terminal, "Connection closed.");
    },
  );
}
