/** The main path: from the landing page to a completed execution. */
import assert from "node:assert/strict";
import { scene } from "../support/scene.ts";
import { WISH } from "../support/user.ts";
import { sha256, Workspace } from "../support/workspace.ts";

const { visitor, user, story } = scene();

story("from the landing page to a completed execution, every step approved by hand", async (t) => {
  const { page } = await visitor(t);
  const workspace = new Workspace(page);
  await page.goto("/");
  await workspace.button("Sign in with GitHub").first().click();
  await page.waitForURL("**/app");

  await workspace.button("Create Project").click();
  await page.getByLabel("Project Name").fill("Status page");
  await page.getByLabel("Description").fill("Says whether we are up");
  await page.getByText("You will be asked to provide cloud provider credentials").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Create Project" }).click();
  await page.waitForURL(/\/app\/\d+$/);
  await page.getByText("Status page").first().waitFor();

  await page.getByText("You can continue only after the agent is clear about the requirements").waitFor();
  await toExecution(workspace);

  const sent: Schemas["StepDecision"][] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/execution/approve-step")) sent.push(request.postDataJSON());
  });
  await workspace.step(1).is("waiting approval");
  const total = await workspace.total();
  assert.ok(total > 1, `${total} steps`);
  for (let number = 1; number <= total; number += 1) {
    const step = workspace.step(number);
    await step.is("waiting approval");
    const command = await step.script();
    const digest = sha256(command);
    assert.equal(await step.digest.getAttribute("title"), digest, "the digest is of another command");
    const shown = /sha256 (\w{4})…(\w{4})/.exec(await step.digest.innerText());
    assert.deepEqual([shown?.[1], shown?.[2]], [digest.slice(0, 4), digest.slice(-4)]);
    await step.approve.click();
    await step.is("completed");
    assert.deepEqual(
      sent
        .map(({ step_number, approved, command_sha256 }) => ({ step_number, approved, command_sha256 }))
        .at(-1),
      { step_number: number, approved: true, command_sha256: digest },
    );
    await step.open();
    assert.notEqual((await step.output.innerText()).trim(), "", `step ${number} printed nothing`);
  }
  assert.equal(sent.length, total, "each step was approved once");

  await workspace.allDone.waitFor();
  await page.getByText("100%").waitFor();
  await page.getByText(`${total} / ${total} steps completed`).waitFor();
  assert.equal(await page.getByText("validation starts automatically").count(), 0);
  await workspace.button("Proceed to Validation Stage").click();
  await workspace.stage("Validation").waitFor();
});

story("with Auto-Approve All Steps on, all steps complete without a click", async (t) => {
  const { page } = await crew(t);
  const workspace = new Workspace(page);
  await toExecution(workspace);
  await workspace.step(1).is("waiting approval");
  await workspace.autoApprove.click();
  await page.getByText("Commands run without asking you, in order, until this is off.").waitFor();

  await page.getByText("validation starts automatically").or(workspace.stage("Validation")).first().waitFor();
  await workspace.stage("Validation").waitFor();
  await page
    .getByRole("navigation", { name: "Stages" })
    .getByRole("link", { name: /Execution/ })
    .click();
  await workspace.allDone.waitFor();
  const total = await workspace.total();
  for (let number = 1; number <= total; number += 1) await workspace.step(number).is("completed");
});

story("validation runs its checks as they are approved and leads to the project's home", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("validation"));
  const workspace = new Workspace(page, "Validation progress");
  const check = workspace.step(1);
  await check.is("waiting approval");
  assert.equal(await check.digest.getAttribute("title"), sha256(await check.script()));
  await check.approve.click();
  await check.is("completed");
  await workspace.autoApprove.click();
  await page.getByText("All validation steps completed successfully!").waitFor();
  await workspace.button("View Project Documentation").click();
  await page.waitForURL(/\/app\/\d+\/home/);
});

/** A user with a new project, created by an API call. */
async function crew(t: TestContext) {
  const owner = await user(t);
  await owner.open(await owner.projectAt("requirements"));
  return owner;
}

/** From an empty requirements chat through both plans to the execution. */
async function toExecution(workspace: Workspace) {
  const { page } = workspace;
  await workspace.say("Requirements agent", WISH);
  await workspace.button("Confirm Requirements & Continue").click();

  await workspace.stage("Cloud architecture").waitFor();
  await workspace.button("Confirm Architecture & Continue").click();

  await workspace.stage("Implementation").waitFor();
  await page.getByText("Next, your sandbox starts.").waitFor();
  const said = await words(page, "Next, your sandbox starts.");
  await workspace.button("Confirm Plan & Start Execution").click();
  await workspace.stage("Execution").waitFor();
  assert.ok(
    (await said()).some((text) => /Initializing sandbox environment \(Attempt \d+\)\.\.\.$/.test(text)),
    `the initialization said: ${await said()}`,
  );
}

/** Records every later text of the status that now says `first`; a text may be gone before the test looks. */
async function words(page: Page, first: string) {
  await page.evaluate((first) => {
    const status = [...document.querySelectorAll("[role=status]")].find((it) => it.textContent === first);
    if (!status) throw new Error(`no status says "${first}"`);
    window.statuses = [];
    new MutationObserver(() => window.statuses.push(status.textContent ?? "")).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  }, first);
  return () => page.evaluate(() => window.statuses);
}
