/** Nothing is overwritten silently: earlier versions are kept, and a document that is older than its source says so. */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** Waits until a button is enabled. */
const enabled = (button: Locator) => button.click({ trial: true });

const title = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const versions = (page: Page, document: string) =>
  page.getByRole("button", { name: new RegExp(`versions of the ${document}$`) });

story("a changed requirement marks the plans after it, and each is renewed or restored", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const workspace = new Workspace(page);
  const project = await owner.projectAt("implementation");
  await owner.open(project, "?stage=requirements");
  await workspace.say("Requirements agent", "Use port 9090");
  await versions(page, "requirements").getByText("v2").waitFor();
  const stages = page.getByRole("navigation", { name: "Stages" });
  const stage = (name: string) => stages.getByRole("link", { name: new RegExp(name) });
  await stage("Cloud architecture").getByText("Out of date").waitFor();
  await stage("Implementation").getByText("Out of date").waitFor();

  await workspace.button("Confirm Requirements & Continue").click();
  const dialog = page.getByRole("dialog", { name: "There is already an architecture plan" });
  await dialog.getByText("The requirements changed after this plan was written.").waitFor();
  await dialog.getByRole("button", { name: "Keep it and continue" }).click();
  await hasFocus(title(page, "Cloud architecture"));

  const plan = page.getByRole("region", { name: "Architecture plan" });
  await plan.getByText("The requirements changed after this plan was written.").waitFor();
  await inspect(page, "an architecture plan that is out of date");
  await workspace.button("Renew the plan").click();
  await versions(page, "architecture plan").getByText("v2").waitFor();
  await plan.getByText("Out of date.").waitFor({ state: "detached" });
  await plan.getByText("9090").first().waitFor();
  await stage("Implementation").getByText("Out of date").waitFor();

  await versions(page, "architecture plan").click();
  const history = page.getByRole("dialog", { name: "Versions of the architecture plan" });
  await history.getByText("What version 2 changed.").waitFor();
  await history.getByText("9090").first().waitFor();
  await inspect(page, "the versions of a plan");
  await history.getByRole("button", { name: /^Version 1/ }).click();
  await history.getByText("What has changed since version 1.").waitFor();
  const size = page.viewportSize();
  await page.setViewportSize({ width: 844, height: 390 });
  const changed = await boxOf(history.getByRole("group", { name: "What changed" }));
  assert.ok(changed.height > 200, `${changed.height} px of the differences are in sight in a low window`);
  if (size) await page.setViewportSize(size);
  await history.getByRole("button", { name: "Restore version 1" }).click();
  await history.waitFor({ state: "detached" });
  await hasFocus(versions(page, "architecture plan"));
  await versions(page, "architecture plan").getByText("v3").waitFor();
  await plan.getByText("Out of date.").waitFor();

  await stage("Implementation").click();
  await page.getByText("The architecture plan comes first.").waitFor();
  await page.getByRole("link", { name: "Go to the architecture plan" }).click();
  await title(page, "Cloud architecture").waitFor();
});

story("an execution starts over from another plan only when its owner says so", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const workspace = new Workspace(page);
  const project = await owner.projectAt("execution");
  await owner.open(project, "?stage=implementation");
  await workspace.say("Implementation planner", "rewrite the plan");
  await workspace.button("Confirm Plan & Start Execution").click();
  const dialog = page.getByRole("dialog", { name: "Start over with the steps of this plan?" });
  await dialog.getByText("0 of 5 completed", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Keep the steps" }).click();
  await hasFocus(title(page, "Execution"));
  await page.getByText("The implementation plan changed after these steps were made.").waitFor();
  await page.getByRole("link", { name: "Go to the implementation plan" }).click();
  await workspace.button("Confirm Plan & Start Execution").click();
  await dialog.getByRole("button", { name: "Start the new steps" }).click();
  await hasFocus(title(page, "Execution"));
  await workspace.step(1).is("waiting approval");
  await page.getByText("The implementation plan changed").waitFor({ state: "detached" });
});

story("documentation that is older than the checks says so, and is renewed by one button", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await page.goto(`/app/${project}/home`);
  const guide = page.getByRole("region", { name: "Quick Start Guide" });
  await guide.getByRole("heading").nth(1).waitFor();
  assert.equal(await page.getByText("Out of date.").count(), 0);
  await owner.runAll(project, "validation");
  await page.reload();
  await page.getByText("Steps or checks ran after this was written.").waitFor();
  await page.getByRole("button", { name: "Renew the documentation" }).click();
  await page.getByText("Out of date.").waitFor({ state: "detached" });
  await guide.waitFor();
});

story("confirming moves the focus to the next stage", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const workspace = new Workspace(page);
  await owner.open(await owner.projectAt("requirements"));
  await workspace.say(
    "Requirements agent",
    "A small web service with a health check inside the sandbox itself, use the defaults",
  );
  for (const [button, next] of [
    ["Confirm Requirements & Continue", "Cloud architecture"],
    ["Confirm Architecture & Continue", "Implementation"],
    ["Confirm Plan & Start Execution", "Execution"],
  ] as const) {
    const confirm = workspace.button(button);
    // The plan is being written while the title is read.
    await enabled(confirm);
    await confirm.focus();
    await page.keyboard.press("Enter");
    await hasFocus(title(page, next));
  }
  const approve = workspace.step(1).approve;
  await approve.focus();
  await page.keyboard.press("Enter");
  await workspace.step(2).is("waiting approval");
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), "BODY");
});
