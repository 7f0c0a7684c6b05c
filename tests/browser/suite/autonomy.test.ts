/** How much of an execution asks its owner, and what the execution is expected to take. */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("a plan's autonomy is set once, applies in every tab and is in the audit", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const step = workspace.step(1);
  await step.is("waiting approval");
  const level = page.getByLabel("Ask me about");
  await workspace.approvals.click();
  const sent = page.waitForRequest("**/api/execution/autonomy");
  await level.selectOption("what changes something");
  assert.equal((await sent).postDataJSON().autonomy, "ask_for_changes");
  await page.getByText(/^Commands that only read run without asking you/).waitFor();
  await inspect(page, "an execution that asks for changes");
  await step.is("waiting approval");

  const other = await page.context().newPage();
  await other.goto(page.url());
  await new Workspace(other).approvals.click();
  assert.equal(await other.getByLabel("Ask me about").inputValue(), "ask_for_changes");
  await other.getByLabel("Ask me about").selectOption("nothing, run all");
  await new Workspace(other).step(1).is("completed");
  assert.equal(await new Workspace(other).autoApprove.getAttribute("aria-checked"), "true");
  await new Workspace(other).autoApprove.click();
  assert.equal(await other.getByLabel("Ask me about").inputValue(), "ask_for_everything");
  await other.close();

  await page.goto(`/app/${project}/audit`);
  await page
    .getByRole("button", { name: /^All steps: Ask before commands that change something\s*Set by @/ })
    .waitFor();
  await page.getByRole("button", { name: /^All steps: Run all steps without asking/ }).waitFor();
});

story("without a mouse, on a phone, the level is chosen", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const { approvals } = new Workspace(page);
  const level = page.getByLabel("Ask me about");
  await approvals.waitFor();
  await tabTo(page, approvals);
  await page.keyboard.press("Enter");
  await tabTo(page, level);
  const answer = page.waitForResponse("**/api/execution/autonomy");
  await page.keyboard.press("ArrowDown");
  assert.equal((await answer).status(), 200);
  await page.reload();
  await page.getByText(/^Commands that only read run without asking you/).waitFor();
  await approvals.click();
  assert.equal(await level.inputValue(), "ask_for_changes");
});

story("an execution is estimated before it starts, and compared with what it took", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("implementation");
  await owner.open(project);
  const estimate = page.getByRole("region", { name: "Estimate" });
  await estimate.getByText(/^Estimate: \$\d+\.\d\d to \$\d+\.\d\d · \d+ to \d+ min$/).waitFor();
  await estimate.getByText(/^Estimate: /).click();
  await estimate.getByText(/^From the six deployments on the pricing page/).waitFor();
  await inspect(page, "an estimate before the execution");
  const plan = await boxOf(page.getByRole("group", { name: "Implementation plan", exact: true }));
  assert.ok(plan.height > 300, `the plan keeps its place above the estimate: ${plan.height}`);
  await page.getByRole("button", { name: "Confirm Plan & Start Execution" }).click();
  await new Workspace(page).step(1).is("waiting approval");
  await estimate.waitFor();
  await owner.runAll(project);
  await estimate.getByText(/^It took:/).waitFor();

  await owner.open(await owner.projectAt("implementation", { name: "Second" }));
  await estimate.getByText(/^Estimate: /).click();
  await estimate.getByText(/^Measured: .* in \d+ completed steps of your earlier projects\./).waitFor();
});
