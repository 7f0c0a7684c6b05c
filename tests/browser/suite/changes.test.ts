/** Day two: a user returns to a built and validated project, and changes it. */

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { hasFocus, tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A user whose project has gone through all of its stages. */
async function validated(t: TestContext) {
  const owner = await user(t);
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const data = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });
  return { owner, page: owner.page, project };
}

/** Confirms the stages of a change up to its execution. */
async function toExecution(workspace: Workspace) {
  await workspace.button("Confirm Requirements & Continue").click();
  await workspace.stage("Cloud architecture").waitFor();
  await workspace.button("Confirm Architecture & Continue").click();
  await workspace.stage("Implementation").waitFor();
  await workspace.button("Confirm Plan & Start Execution").click();
  await workspace.stage("Execution").waitFor();
}

story("a request becomes a validated change, and the first build stays readable", async (t) => {
  const { owner, page, project } = await validated(t);
  const workspace = new Workspace(page);
  await page.goto(`/app/${project}/home`);
  await page.getByRole("link", { name: "Change something" }).click();
  await page.getByText("Change 1 · First build").waitFor();
  await inspect(page, "the changes of a validated project");
  await page.getByRole("button", { name: "Use port 9090" }).click();
  await page.getByLabel("What would you like to change?").fill("Let it listen on port 9090");
  await workspace.button("Begin change").click();

  await workspace.stage("Requirements").waitFor();
  const banner = page.getByRole("region", { name: "Current change" });
  await banner.getByText("Change 2").waitFor();
  await page.getByText("These settings change:").waitFor();
  await inspect(page, "the requirements of a change");
  await toExecution(workspace);
  await workspace.step(1).is("waiting approval");
  const steps = await workspace.total();
  assert.ok(steps < 5, `${steps} steps: only the difference`);
  for (let number = 1; number <= steps; number += 1) {
    const step = workspace.step(number);
    await step.is("waiting approval");
    await step.approve.click();
    await step.is("completed");
  }
  await workspace.button("Proceed to Validation Stage").click();
  await workspace.stage("Validation").waitFor();
  const checks = new Workspace(page, "Validation progress");
  await checks.step(1).is("waiting approval");
  await owner.runAll(project, "validation");
  await workspace.button("View Project Documentation").click();
  await page.waitForURL(/\/home/);
  await page.getByRole("link", { name: "Changes", exact: true }).first().click();

  const changes = page.getByRole("region", { name: "Changes", exact: true }).first();
  const second = changes.getByRole("listitem").filter({ hasText: "Change 2" });
  await second.getByText("completed", { exact: true }).waitFor();
  await second.getByText(/\$\d+\.\d{4}/).waitFor();
  await changes.getByRole("link", { name: /^Conversations and steps: Change 1/ }).click();
  await page.getByText("1. Write the service and its health check").last().click();
  await page.getByText("Approved by").first().waitFor();
  await page.getByLabel("Output of step 1").getByText("Written:").waitFor();
  await inspect(page, "an earlier change");
  await page.reload();
  await page.getByText("Change 1 · First build").first().waitFor();

  await page.goto(`/app/${project}/timeline`);
  await page.getByText("Change 2 · Let it listen on port 9090").first().waitFor();
  await page.getByText(`Begun by @${owner.login}`).waitFor();
  const built = page.getByRole("button", { name: /^Step 1: / });
  assert.equal(await built.count(), 2, "one for each change");
  await built.last().click();
  await page.getByRole("group", { name: "What step 1 printed" }).getByText("Written:").waitFor();
  await inspect(page, "the timeline of two changes");

  await page.goto(`/app/${project}/home/changes`);
  await workspace.button("Undo").waitFor();
  await tabTo(page, workspace.button("Undo"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Undo change 2?" }).waitFor();
  await inspect(page, "the question before a change is undone");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await hasFocus(workspace.button("Undo"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Begin undoing" }));
  await page.keyboard.press("Enter");
  await workspace.stage("Requirements").waitFor();
  await banner.getByText("Change 3").waitFor();
  await page.getByText("9090 becomes 8080").first().waitFor();
});

story("a change that stops halfway is rolled back by the script that was shown", async (t) => {
  const { page, project } = await validated(t);
  const workspace = new Workspace(page);
  await page.goto(`/app/${project}/home/changes`);
  await page.getByLabel("What would you like to change?").fill("Let it listen on port 9191");
  await workspace.button("Begin change").click();
  await workspace.stage("Requirements").waitFor();
  await page.getByText("These settings change:").waitFor();
  await toExecution(workspace);

  const first = workspace.step(1);
  await first.is("waiting approval");
  const rollback = page.getByRole("region", { name: "Rollback", exact: true });
  assert.equal(await rollback.count(), 0, "nothing has run");
  await first.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = page.getByRole("dialog", { name: /^Review: / });
  await pane.getByRole("tab", { name: "Rollback" }).click();
  await pane.getByText("this script restores the state before the change").waitFor();
  await inspect(page, "the rollback in a review");
  await pane.getByRole("button", { name: "Approve", exact: true }).click();
  await first.is("completed");
  const second = workspace.step(2);
  await second.is("waiting approval");
  await second.reject.click();
  await second.is("failed");

  await rollback.getByText("A step failed.").waitFor();
  // Where the change is listed, the rollback comes first as well.
  await page.getByRole("link", { name: "All changes" }).click();
  const listed = page.getByRole("link", { name: "Roll back first" });
  await listed.waitFor();
  assert.equal(await workspace.button("Abandon change").count(), 0);
  await inspect(page, "a change whose rollback comes first");
  await listed.click();
  await rollback.getByText("A step failed.").waitFor();
  // It is above the steps, where Tab does not lead from one of them.
  await rollback.getByRole("button", { name: "Roll back" }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Roll change 2 back?" });
  await question.waitFor();
  await inspect(page, "the question before a rollback");
  await tabTo(page, question.getByRole("button", { name: "Approve and run" }));
  await page.keyboard.press("Enter");
  await rollback.getByText("The change is rolled back").waitFor();
  await inspect(page, "a change that is rolled back");
  await rollback.getByRole("button", { name: "End this change" }).click();
  await page.getByText("rolled back", { exact: true }).first().waitFor();
  await page.getByLabel("What would you like to change?").waitFor();
  await page.goto(`/app/${project}/home`);
  await page.getByText("8080").first().waitFor();
});

story("a change that cannot be begun or torn down says so, and keeps the text and the focus", async (t) => {
  const { page, project } = await validated(t);
  const workspace = new Workspace(page);
  await page.goto(`/app/${project}/home/changes`);
  const wish = page.getByLabel("What would you like to change?");
  await wish.fill("Use port 9090");
  await page.route("**/api/projects/*/changes", (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await tabTo(page, workspace.button("Begin change"));
  await page.keyboard.press("Enter");
  await page.getByText("The server cannot be reached.").waitFor();
  await hasFocus(workspace.button("Begin change"));
  assert.equal(await wish.inputValue(), "Use port 9090");

  await tabTo(page, workspace.button("Tear down"));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Tear this project down?" });
  const begin = dialog.getByRole("button", { name: "Begin tearing down" });
  await tabTo(page, begin);
  await page.keyboard.press("Enter");
  await dialog.getByText("The server cannot be reached.").waitFor();
  await hasFocus(begin);
});

story("an impossible change is reported and abandoned", async (t) => {
  const { page, project } = await validated(t);
  const workspace = new Workspace(page);
  await page.goto(`/app/${project}/home/changes`);
  await page.getByLabel("What would you like to change?").fill("Also add Redis");
  await workspace.button("Begin change").click();
  await workspace.stage("Requirements").waitFor();
  await page.getByText("So far nothing changes.").waitFor();
  await page.getByText("You can continue only after the agent is clear").waitFor();
  await page.getByRole("link", { name: "All changes" }).click();
  await workspace.button("Abandon change").click();
  await inspect(page, "the question before a change is abandoned");
  await page.getByRole("dialog").getByRole("button", { name: "Abandon change" }).click();
  await page.getByText("abandoned", { exact: true }).first().waitFor();
  await page.getByLabel("What would you like to change?").waitFor();
  await hasFocus(page.getByRole("heading", { level: 1 }));
});

story("a project's resources are torn down, and the project shows that", async (t) => {
  const { owner, page, project } = await validated(t);
  const workspace = new Workspace(page);
  await page.goto(`/app/${project}/home/changes`);
  await workspace.button("Tear down").waitFor();
  await inspect(page, "the changes with the way to tear the project down");
  await tabTo(page, workspace.button("Tear down"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Tear this project down?" }).waitFor();
  await inspect(page, "the question before a project is torn down");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Begin tearing down" }));
  await page.keyboard.press("Enter");

  await workspace.stage("Requirements").waitFor();
  await page.getByText("What goes").first().waitFor();
  await inspect(page, "the requirements of a tear-down");
  await toExecution(workspace);
  for (const number of [1, 2]) {
    const step = workspace.step(number);
    await step.is("waiting approval");
    await step.approve.click();
    await step.is("completed");
  }
  await workspace.button("Proceed to Validation Stage").click();
  await workspace.stage("Validation").waitFor();
  await new Workspace(page, "Validation progress").step(1).is("waiting approval");
  await owner.runAll(project, "validation");
  const data = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });
  await page.goto(`/app/${project}/home/changes`);
  await page.getByText("This project is torn down.").waitFor();
  assert.equal(await page.getByLabel("What would you like to change?").count(), 0);
  await inspect(page, "the changes of a project that is torn down");
  await page.goto(`/app/${project}/home/result`);
  await workspace.button("Stop Sandbox").waitFor();
  assert.equal(await page.getByRole("link", { name: "Change something" }).count(), 0);
});
