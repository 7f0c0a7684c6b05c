/** Decisions are final: what an owner ended stays ended, and a decision that fails is reported and loses nothing. */
import assert from "node:assert/strict";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import type { User } from "../support/user.ts";
import { type StepCard, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const APPROVE = "**/api/execution/approve-step";
const PROGRESS = "**/api/execution/progress";
/** The beginning of a command that runs until it is ended. */
const ENDLESS = "echo begun\nsleep 1000\n";

story("a step that its owner rejected or canceled is not started again by Auto-Retry", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const step = workspace.step(1);
  await step.is("waiting approval");
  await workspace.autoRetry.click();
  const sent: boolean[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/execution/approve-step")) sent.push(request.postDataJSON().approved);
  });
  await step.reject.click();
  await step.is("failed");
  await page.waitForResponse(PROGRESS);
  await step.is("failed");
  assert.deepEqual(sent, [false], "what was rejected waits for its owner");

  await step.again.click();
  await step.is("waiting approval");
  await makeEndless(owner, project, 1);
  await step.command.getByText("sleep 1000").waitFor();
  await step.approve.click();
  await step.output.getByText("begun").waitFor();
  await page.getByRole("button", { name: "Cancel step 1" }).click();
  await step.is("failed");
  await step.card.getByText("Canceled by user").waitFor();
  await page.waitForResponse(PROGRESS);
  await step.is("failed");
  assert.deepEqual(sent, [false, true, true], "what was canceled waits for its owner");
});

story("a rejection that cannot be sent keeps its reason, in the review and in the card", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = page.getByRole("dialog", { name: /^Review: / });
  await pane.getByRole("button", { name: "Reject with a reason..." }).click();
  const reason = pane.getByLabel("What should the agent do differently?");
  await reason.fill("listen on localhost only");
  await owner.context.setOffline(true);
  const send = pane.getByRole("button", { name: "Reject with this reason" });
  await send.click();
  const said = "This command was not rejected. The server cannot be reached. Check your connection.";
  await pane.getByRole("alert").getByText(said).waitFor();
  assert.equal(await reason.inputValue(), "listen on localhost only");
  await hasFocus(send);
  await inspect(page, "a rejection that could not be sent");

  await page.keyboard.press("Escape");
  await step.card.getByRole("alert").getByText(said).waitFor();
  assert.equal(await step.card.getByRole("textbox").inputValue(), "listen on localhost only");
  await owner.context.setOffline(false);
  const request = page.waitForRequest(APPROVE);
  await step.card.getByRole("button", { name: "Reject with this reason" }).click();
  assert.equal((await request).postDataJSON().reason, "listen on localhost only");
  await step.is("failed");
  await step.card.getByText("listen on localhost only").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "it is history");
});

story("each decision that the server refuses says so beside its button", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const step = workspace.step(1);
  const autonomy = "**/api/execution/autonomy";
  const refuse = (url: string, detail: string) =>
    page.route(url, (route) => route.fulfill({ status: 409, json: { code: "no", detail } }));
  await refuse(APPROVE, "Not now.");
  await step.approve.click();
  await step.card.getByRole("alert").getByText("This command was not approved. Not now.").waitFor();
  await hasFocus(step.approve);
  await step.reject.click();
  await step.card.getByRole("alert").getByText("This command was not rejected. Not now.").waitFor();
  await inspect(page, "a decision that was refused");
  await refuse(autonomy, "Not yet.");
  await workspace.approvals.click();
  await page.getByLabel("Ask me about").selectOption("nothing, run all");
  await page.getByText("The approval setting was not changed. Not yet.").waitFor();
  assert.equal(await workspace.autoApprove.getAttribute("aria-checked"), "false");

  await page.unroute(APPROVE);
  await makeEndless(owner, project, 1);
  await approveEndless(step);
  await refuse("**/api/execution/cancel-step", "It has just ended.");
  const cancel = page.getByRole("button", { name: "Cancel step 1" });
  await cancel.click();
  const bar = page.getByRole("region", { name: "What is running" });
  await bar.getByRole("alert").getByText("This run was not canceled. It has just ended.").waitFor();
  await inspect(page, "a run that was not canceled");
  await page.unroute("**/api/execution/cancel-step");
  await cancel.click();
  await step.is("failed");
});

story("a step that is being prepared is canceled from the bar, and says so if that fails", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  const { steps, ...progress } = await owner.call("GET", "/execution/progress", { project });
  const [first, ...others] = steps;
  const preparing = { ...first, status: "in_progress", running: false, command: null, command_sha256: null };
  await page.route(PROGRESS, (route) =>
    route.fulfill({ json: { ...progress, steps: [preparing, ...others] } }),
  );
  const sent: unknown[] = [];
  await page.route("**/api/execution/cancel-step", (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ status: 409, json: { code: "illegal_transition", detail: "It is ready." } });
  });
  await owner.open(project);
  const bar = page.getByRole("region", { name: "What is running" });
  await bar.getByText("Step 1 is being prepared").waitFor();
  await bar.getByRole("button", { name: "Cancel step 1" }).click();
  await bar.getByRole("alert").getByText("The preparation was not canceled.").waitFor();
  const { attempt } = first;
  assert.deepEqual(sent, [{ plan_id: progress.id, step_number: 1, attempt }]);
  await inspect(page, "a preparation that was not canceled");
});

story("while a step runs no other step starts, and everything that runs is named", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const [first, second] = [workspace.step(1), workspace.step(2)];
  await first.approve.click();
  await first.is("completed");
  await second.is("waiting approval");
  await makeEndless(owner, project, 2);
  await approveEndless(second);
  await first.open();
  await first.card.getByText("Step 2 is running. You can execute this one when it has ended.").waitFor();
  assert.ok(await first.again.isDisabled(), "nothing runs beside it");
  await inspect(page, "a step that cannot run beside another one");

  // Another client may still start one.
  const { steps, ...progress } = await owner.call("GET", "/execution/progress", { project });
  const both = steps.map((step: Schemas["StepBody"]) =>
    step.step_number < 3 ? { ...step, status: "in_progress", running: true } : step,
  );
  await page.route(PROGRESS, (route) => route.fulfill({ json: { ...progress, steps: both } }));
  const bar = page.getByRole("region", { name: "What is running" });
  await bar.getByRole("button", { name: "Cancel step 1" }).waitFor();
  await bar.getByRole("button", { name: "Cancel step 2" }).waitFor();
  await workspace.steps.getByText("Step 1, Step 2").waitFor();
  await inspect(page, "two steps that run");
});

story("an approval of a step that another tab has rejected changes nothing and says why", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  // The other tab's decision reaches the server; this tab still shows the state before it.
  await page.route(PROGRESS, (route) => route.abort());
  const other = await page.context().newPage();
  await other.goto(page.url());
  const rejected = new Workspace(other).step(1);
  await rejected.reject.click();
  await rejected.is("failed");
  await step.approve.click();
  await step.card
    .getByRole("alert")
    .getByText(/^This command was not approved\. The status of this step/)
    .waitFor();
  await page.unroute(PROGRESS);
  await step.is("failed");
  await step.card.getByText("This command was rejected and did not run.").waitFor();
  await rejected.is("failed");
});

/** Approves the waiting command of a step, as its owner; the command runs until it is ended. */
async function makeEndless(owner: User, project: number, step_number: number) {
  const { id: plan_id, steps } = await owner.call("GET", "/execution/progress", { project });
  const { attempt, command_sha256, command } = steps[step_number - 1];
  const data = { plan_id, step_number, attempt, command_sha256, script: ENDLESS + command };
  await owner.call("POST", "/execution/edit-step", { project, data });
}

async function approveEndless(step: StepCard) {
  await step.command.getByText("sleep 1000").waitFor();
  await step.approve.click();
  await step.output.getByText("begun").waitFor();
}
