/**
 * An owner can read a whole command before approving it: in its card, in the review, on a phone and without a mouse.
 */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { hasFocus, tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { sha256, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const review = (page: Page) => page.getByRole("dialog", { name: /^Review: / });

story("a user reads a long script to its end, sees the files it writes, and approves it there", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  const script = await step.script();
  const total = script.split("\n").length - 1;
  await step.card.getByText(`14 of ${total} lines`).waitFor();
  const box = await boxOf(step.card.getByRole("group", { name: "Command of step 1" }));
  assert.equal((box.height - 8) % 20, 0, "the card shows whole lines");

  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = review(page);
  await pane.waitFor();
  assert.match(page.url(), /[?&]review=1\b/);
  await pane.getByText("hello-service/service.py").first().waitFor();
  await pane.getByText("new", { exact: true }).first().waitFor();
  const touches = pane.getByRole("region", { name: "What it touches" });
  await touches.getByText("hello-service/control.sh").waitFor();
  await touches.getByText(/\bpython3\b/).waitFor();
  const gone = touches.getByRole("listitem").filter({ hasText: "hello-service/access/curl" });
  await gone.getByText("removed, written", { exact: true }).waitFor();
  assert.equal(await gone.count(), 1, "each file is listed once");
  const service = pane.getByRole("group", { name: "Text of hello-service/service.py" });
  await service.locator(".code-line span[style*=color]").first().waitFor();

  await pane.getByRole("tab", { name: "Script" }).click();
  const lines = pane.getByRole("group", { name: "Review, script" }).locator(".code-line:not(.select-none)");
  assert.equal((await lines.allTextContents()).join(""), script, "every line of it is there");
  const fold = pane.getByRole("button", { name: /lines · hello-service\/service\.py/ });
  await fold.click();
  assert.equal(await fold.getAttribute("aria-expanded"), "false");
  assert.ok((await lines.count()) < total, "a file folds away");

  await inspect(page, "the review");
  assert.equal(await pane.getByTitle(/^[0-9a-f]{64}$/).getAttribute("title"), sha256(script));
  await pane.getByRole("button", { name: "Approve", exact: true }).click();
  await pane.waitFor({ state: "hidden" });
  await step.is("completed");
});

story("an existing file is shown as its differences", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  await workspace.step(1).approve.click();
  await workspace.step(2).is("waiting approval");
  await workspace.step(2).card.getByRole("button", { name: "Review" }).click();
  const files = review(page)
    .getByRole("region", { name: "What it touches" })
    .getByText("Files", { exact: true });
  await files.locator("..").getByText("None").waitFor();
  await page.keyboard.press("Escape");
  // A command that has run can be read again: its files are those that it wrote.
  const step = workspace.step(1);
  await step.open();
  await step.card.getByRole("button", { name: "Read it all" }).click();
  const pane = review(page);
  await pane.getByText("unchanged", { exact: true }).first().waitFor();
  await page.keyboard.press("Escape");
  await pane.waitFor({ state: "hidden" });
});

story("a file that is written and appended to is compared with what the script left", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  const { id: plan_id, steps } = await owner.call("GET", "/execution/progress", { project });
  const { attempt, command_sha256, command } = steps[0];
  const script = `cat >a.txt <<'EOF'\ntwo\nEOF\ncat >>a.txt <<'EOF'\nthree\nEOF\n${command}`;
  const data = { plan_id, step_number: 1, attempt, command_sha256, script };
  await owner.call("POST", "/execution/edit-step", { project, data });
  await step.command.getByText("three").waitFor();
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = review(page);
  await pane.getByText("new", { exact: true }).first().waitFor();
  const second = pane.locator("details").filter({ hasText: "changed again" });
  await second.locator(".code-line[data-mark='+']").getByText("three").waitFor();
  assert.deepEqual(await second.locator(".code-line").allTextContents(), ["two\n", "added: three\n"]);
  await pane.getByText("1 line", { exact: true }).waitFor();
  await inspect(page, "a file that is written twice");
});

story("the review is a place: Back closes it, and a reload keeps it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  await review(page).waitFor();
  await page.reload();
  await review(page).waitFor();
  await page.goBack();
  await review(page).waitFor({ state: "hidden" });
  await step.is("waiting approval");
});

story("without a mouse a command is reviewed and approved, and the focus stays with its step", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  await tabTo(page, step.card.getByRole("button", { name: "Review", exact: true }));
  await page.keyboard.press("Enter");
  const pane = review(page);
  await hasFocus(pane.getByRole("tab", { name: "Changes" }));
  await page.keyboard.press("ArrowRight");
  await pane.getByRole("tab", { name: "Script", selected: true }).waitFor();
  await tabTo(page, pane.getByRole("button", { name: "Wrap" }));
  await page.keyboard.press("Space");
  assert.equal(await pane.getByRole("button", { name: "Wrap" }).getAttribute("aria-pressed"), "true");
  await tabTo(page, pane.getByRole("button", { name: "Approve", exact: true }));
  await page.keyboard.press("Enter");
  await step.is("completed");
  await hasFocus(step.card.getByRole("button", { name: /Step 1\b/ }));
});

story("an element that is drawn while the focus moves does not take it", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  const pane = review(page);
  await hasFocus(pane.getByRole("tab", { name: "Changes" }));
  await page.keyboard.press("ArrowRight");
  await pane.getByRole("tab", { name: "Script", selected: true }).waitFor();
  await pane.evaluate((dialog) => {
    const drawn = dialog.appendChild(document.createElement("span"));
    document.addEventListener("focusout", () => drawn.remove(), { once: true });
  });
  await page.keyboard.press("Tab");
  await hasFocus(pane.getByRole("button", { name: "Wrap" }));
});

story(
  "on a phone the review fills the screen and Approve is in reach from the first line to the last",
  async (t) => {
    const owner = await user(t, { viewport: PHONE });
    const { page } = owner;
    await owner.open(await owner.projectAt("execution"));
    const step = new Workspace(page).step(1);
    await step.card.getByRole("button", { name: "Review", exact: true }).click();
    const pane = review(page);
    const approve = pane.getByRole("button", { name: "Approve", exact: true });
    await approve.waitFor();
    const { width, height } = await boxOf(pane);
    assert.deepEqual([width, height], [PHONE.width, PHONE.height]);
    for (const tab of ["Changes", "Script"]) {
      await pane.getByRole("tab", { name: tab }).click();
      const last = pane.getByRole("tabpanel", { name: tab }).locator(".code-line").last();
      await last.scrollIntoViewIfNeeded();
      const { y, height: tall } = await boxOf(approve);
      assert.ok(y + tall <= PHONE.height, "Approve is on the screen");
      assert.ok((await boxOf(last)).y < y, "and covers nothing of the script");
    }
    await approve.click();
    await step.is("completed");
  },
);
