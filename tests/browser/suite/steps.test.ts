/** The actions on one step: rejecting, executing again, automatic retries, reading the whole output. */
import assert from "node:assert/strict";
import { boxOf, drawn } from "../support/drawn.ts";
import { hasFocus } from "../support/focus.ts";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { sha256, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** A point of the backdrop above the list of steps, in a window of 1440 by 560. */
const OVER_THE_LIST = { x: 600, y: 465 };

/** How often the page may re-execute a step automatically. */
const RETRIES = 3;

story("a rejected step says so, and Re-execute prepares it again", async (t) => {
  const owner = await user(t);
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(owner.page);
  const step = workspace.step(1);
  await step.is("waiting approval");
  await step.reject.click();
  await step.is("failed");
  await step.card.getByText("This command was rejected and did not run.").waitFor();
  await step.card.getByText(/^6 of \d+ lines$/).waitFor();
  assert.equal(await step.card.getByText("Error", { exact: true }).count(), 0, "a decision is not an error");
  assert.equal(await step.card.getByRole("button", { name: "Ask why" }).count(), 0, "its owner knows why");
  assert.equal(await step.approve.count(), 0, "what was rejected cannot be approved");

  await step.again.click();
  await step.is("waiting approval");
  const old = step.card.getByText("This command was rejected");
  assert.equal(await old.count(), 0, "what was rejected is history");
  assert.equal(await step.digest.getAttribute("title"), sha256(await step.script()));
  await step.approve.click();
  await step.is("completed");
  await workspace.step(2).is("waiting approval");

  await owner.page.goto(`/app/${project}/audit`);
  const entries = owner.page.getByRole("listitem").filter({ hasText: "Step 1: " });
  const by = `by @${owner.login}`;
  for (const decision of [`Approved ${by}`, `Started again ${by}`, `Rejected ${by}`])
    await entries.filter({ hasText: decision }).waitFor();
  assert.equal(await owner.page.getByText("No run ended").count(), 0, "each approval led to its run");
});

story("a failed step shows what went wrong and runs again by hand", async (t) => {
  const { page, workspace, terminal } = await afterFirstStep(await user(t));
  await terminal.run("rm -rf hello-service && echo removed");
  await terminal.shows(/^removed$/m);
  const step = workspace.step(2);
  // The sandbox is running by now, so its own tools have checked the script, and report their versions.
  await step.card.getByText("Automatic checks").click();
  await step.card.getByText(/bash -n \d+\.\d+/).waitFor();
  await step.approve.click();
  await step.is("failed");
  await step.card
    .getByText(/No such file/i)
    .first()
    .waitFor();
  await page.getByText(/· exit [1-9]\d*/).waitFor();

  await step.again.click();
  await step.is("waiting approval");
  await step.approve.click();
  await step.is("completed");
});

story("what a step is decided on is in sight without scrolling, and so is what went wrong", async (t) => {
  const owner = await user(t);
  const { page, project, workspace } = await afterFirstStep(owner);
  const step = workspace.step(2);
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(viewport);
    const bar = await boxOf(step.approve);
    const review = await boxOf(step.card.getByRole("button", { name: "Review", exact: true }));
    assert.ok(review.y + review.height <= bar.y, `Review is above Approve at ${viewport.width}`);
    const verdict = await boxOf(step.card.getByText(/^Checks: /));
    assert.ok(verdict.y + verdict.height <= viewport.height, `the verdict is in sight at ${viewport.width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  const { id: plan_id, steps } = await owner.call("GET", "/execution/progress", { project });
  const { attempt, command_sha256, command } = steps[1];
  const script = `seq 1 40\nfalse\n${command}`;
  const data = { plan_id, step_number: 2, attempt, command_sha256, script };
  await owner.call("POST", "/execution/edit-step", { project, data });
  await step.command.getByText("seq 1 40").waitFor();
  await step.approve.click();
  await step.is("failed");
  const error = await boxOf(step.card.getByText("Error", { exact: true }));
  const output = await boxOf(step.output);
  const again = await boxOf(step.again);
  assert.ok(error.y < output.y, "the error comes before the output");
  assert.ok(error.y < again.y && again.y + again.height <= 900, "both are in sight");
});

story(
  "a step that keeps failing is retried automatically three times, and a reload starts no further attempt",
  async (t) => {
    const owner = await user(t);
    const { page, project, workspace, terminal } = await afterFirstStep(owner);
    const { id: plan } = await owner.call("GET", "/execution/progress", { project });
    // A file in place of the service's folder: no command of the agent can succeed.
    await terminal.run("rm -rf hello-service && touch hello-service && echo spoilt");
    await terminal.shows(/^spoilt$/m);

    // The agent writes the same script again, which runs without another approval: later attempts are retries.
    const retried = [];
    const isRetry = (request: PageRequest) =>
      request.url().endsWith("/api/execution/approve-step") && request.postDataJSON().attempt > 1;
    page.on("request", (request) => isRetry(request) && retried.push(request.postDataJSON()));
    const last = page.waitForResponse(
      (response) => isRetry(response.request()) && retried.length === RETRIES,
    );
    await workspace.autoApprove.click();
    await workspace.autoRetry.click();
    await last;
    const step = workspace.step(2);
    const count = () =>
      page.evaluate((key) => localStorage.getItem(key), `groundcrew:auto-retry:${project}:${plan}:2`);
    assert.equal(await count(), String(RETRIES));

    await page.reload();
    await step.is("failed");
    assert.equal(await workspace.autoRetry.getAttribute("aria-checked"), "true", "the switch is still on");
    await page.waitForResponse((response) => response.url().endsWith("/api/execution/progress"));
    await step.is("failed");
    assert.equal(await count(), String(RETRIES));
    assert.equal(retried.length, RETRIES, "no fourth retry");
  },
);

story(
  "Full Output holds the page still and closes by Escape, by its button and by the backdrop",
  async (t) => {
    const owner = await user(t, { viewport: { width: 1440, height: 560 } });
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.runAll(project);
    await owner.open(project);
    const workspace = new Workspace(page);
    await workspace.allDone.waitFor();
    const step = workspace.step(1);
    await step.open();
    const preview = (await step.output.innerText()).trimEnd();
    assert.deepEqual(
      [preview.split("\n").length, preview.split("\n").at(-1)],
      [6, "..."],
      "five lines and a mark",
    );

    const more = step.card.getByRole("button", { name: "View Full Output" });
    const modal = page.getByRole("dialog", { name: "Full Output" });
    const full = modal.getByRole("group", { name: "Full output of step 1" });
    const ways = {
      Escape: () => page.keyboard.press("Escape"),
      "its button": () => modal.getByRole("button", { name: "Close", exact: true }).click(),
      "its cross": () => modal.getByRole("button", { name: "Close dialog" }).click(),
      "the backdrop": () => page.mouse.click(OVER_THE_LIST.x, OVER_THE_LIST.y),
    };
    for (const [way, close] of Object.entries(ways)) {
      await more.click();
      await modal.waitFor();
      await modal.getByText("Terminal output appears in this window only after commands complete.").waitFor();
      const text = await full.innerText();
      assert.ok(
        text.split("\n").length > 5 && text.startsWith(preview.slice(0, -4)),
        "the whole is longer than its preview",
      );
      const before = await place(workspace);
      await page.mouse.move(OVER_THE_LIST.x, OVER_THE_LIST.y);
      await page.mouse.wheel(0, 400);
      assert.deepEqual(await place(workspace), { ...before, locked: "hidden" }, "the page behind scrolled");
      await close();
      await modal.waitFor({ state: "hidden" });
      assert.equal((await place(workspace)).locked, "visible", `closed by ${way}`);
      await hasFocus(more);
    }
  },
);

story("a check is read in full, and ended while it runs", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("validation");
  await owner.open(project, "?panel=terminal");
  const workspace = new Workspace(page, "Validation progress");
  const terminal = new TerminalPane(page);
  await terminal.connected();
  const first = workspace.step(1);
  await first.is("waiting approval");
  await first.approve.click();
  await first.is("completed");
  await first.open();
  await first.card.getByRole("button", { name: "View Full Output" }).click();
  const full = page.getByRole("dialog", { name: "Full Output" });
  await full.getByRole("group", { name: "Full output of step 1" }).getByText('"status": "ok"').waitFor();
  await page.keyboard.press("Escape");

  for (const number of [2, 3]) await workspace.step(number).approve.click();
  const fourth = workspace.step(4);
  await fourth.is("waiting approval");
  await terminal.run("printf 'echo begun; sleep 1000\\n' > hello-service/control.sh && echo slo''wed");
  await terminal.shows(/^slowed$/m);
  await fourth.approve.click();
  await fourth.output.getByText("begun").waitFor();
  await page.getByRole("button", { name: "Cancel step 4" }).click();
  await fourth.is("failed");
  await fourth.card.getByText("Canceled by user").waitFor();
});

/** The scroll positions of the list of steps and of the page. */
async function place({ page }: Workspace) {
  await drawn(page);
  // Located by element: a modal hides the page behind it from role queries.
  return page.locator("section[aria-label='Execution progress'] ol").evaluate((list) => {
    return { list: list.scrollTop, page: scrollY, locked: getComputedStyle(document.body).overflow };
  });
}

/** An execution whose first step is done and whose second one waits, with the terminal connected. */
async function afterFirstStep(owner: User) {
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const terminal = new TerminalPane(page);
  await workspace.step(1).approve.click();
  await workspace.step(2).is("waiting approval");
  await terminal.connected();
  return { page, project, workspace, terminal };
}
