/** Day two: somebody comes back to a project that is built and validated, and has it changed. */
import assert from "node:assert/strict";
import { inspect } from "../support/inspect.js";
import { scene } from "../support/scene.js";
import { Workspace } from "../support/workspace.js";

const { user, story } = scene();

/**
 * A user whose project has gone through all of its stages.
 * @param {import("node:test").TestContext} t
 */
async function validated(t) {
  const owner = await user(t);
  const project = await owner.projectAt("validation");
  await owner.runAll(project, "validation");
  const data = { is_completed: true };
  await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });
  return { owner, page: owner.page, project };
}

story("a wish becomes a validated change, and the first build stays readable", async (t) => {
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
  await page.getByText("This changes what stands:").waitFor();
  await inspect(page, "the requirements of a change");
  await workspace.button("Confirm Requirements & Continue").click();
  await workspace.stage("Cloud architecture").waitFor();
  await workspace.button("Confirm Architecture & Continue").click();
  await workspace.stage("Implementation").waitFor();
  await workspace.button("Confirm Plan & Start Execution").click();
  await workspace.stage("Execution").waitFor();
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
  await changes.getByRole("link", { name: /^What Change 1/ }).click();
  await page.getByText("1. Write the service and its health check").last().click();
  await page.getByText("Approved by").first().waitFor();
  await page.getByLabel("Output of step 1").getByText("Written:").waitFor();
  await inspect(page, "an earlier change");
  await page.reload();
  await page.getByText("Change 1 · First build").first().waitFor();
});

story("a change that cannot be done says so and is abandoned", async (t) => {
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
});
