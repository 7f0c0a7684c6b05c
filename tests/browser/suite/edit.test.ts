/** An owner edits a command before approving it, and the command is then marked as theirs. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { boxOf } from "../support/drawn.ts";
import { hasFocus, tabTo } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import type { User } from "../support/user.ts";
import { sha256, typeKept, Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const review = (page: Page) => page.getByRole("dialog", { name: /^Review: / });
const editor = (page: Page) => page.getByRole("dialog", { name: /^Edit: / });

/** Opens the review of the first step, and its editor unless only the review is needed. */
async function openEditor(owner: User, options: { closed?: boolean } = {}) {
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  await step.card.getByRole("button", { name: "Review", exact: true }).click();
  if (!options.closed) await review(page).getByRole("button", { name: "Edit", exact: true }).click();
  return step;
}

story(
  "an owner edits a script, sees what they changed, approves it, and finds it in the audit",
  async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const step = await openEditor(owner);
    const text = editor(page).getByLabel("Text of step 1");
    const written = await text.inputValue();
    const save = editor(page).getByRole("button", { name: "Save as your script" });
    assert.ok(await save.isDisabled(), "there is nothing to save yet");

    await text.fill(`export DB_PASSWORD=Tr0ub4dor-and-3\n${written}`);
    await save.click();
    await editor(page)
      .getByText(/^This script was not saved\. Line 1 holds a secret in plain text/)
      .waitFor();
    await inspect(page, "the editor of a script");
    await page.keyboard.press("Escape");
    await editor(page).getByText("Your changes are not saved.").waitFor();
    await hasFocus(editor(page).getByRole("button", { name: "Keep editing" }));
    await page.keyboard.press("Enter");

    const mine = `echo edited by hand\n${written}`;
    await text.fill(mine);
    await save.click();
    const pane = review(page);
    await pane.getByRole("tab", { name: "Edited by you", selected: true }).waitFor();
    await pane.locator(".code-line[data-mark='+']").getByText("echo edited by hand").waitFor();
    await pane.getByTitle(sha256(written)).waitFor();
    assert.ok((await pane.getByTitle(sha256(mine)).count()) > 0, "it has its own digest");
    await inspect(page, "an edited script in review");
    await pane.getByRole("button", { name: "Approve", exact: true }).click();
    await step.is("completed");
    await step.open();
    await step.card.getByText("Edited by you").waitFor();
    await step.output.getByText("edited by hand").first().waitFor();

    for (const place of ["audit", "timeline"]) {
      await page.goto(page.url().replace(/(\/app\/\d+).*/, `$1/${place}`));
      const row = page.getByRole("button", { name: /Edited by @/ });
      await row.click();
      await page.getByTitle(sha256(written)).waitFor();
      await page.getByTitle(sha256(mine)).first().waitFor();
    }
  },
);

story("an approval of a command that was edited elsewhere asks to read it again", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const step = await openEditor(owner, { closed: true });
  const approve = review(page).getByRole("button", { name: "Approve", exact: true });
  await approve.waitFor();
  // The other tab's edit reaches the server; this tab still shows the state before it.
  await page.route("**/api/execution/progress", (route) => route.abort());
  const other = await page.context().newPage();
  await other.goto(page.url());
  await review(other).getByRole("button", { name: "Edit", exact: true }).click();
  const text = editor(other).getByLabel("Text of step 1");
  await text.fill(`echo edited elsewhere\n${await text.inputValue()}`);
  await other.keyboard.press("Control+s");
  await review(other).waitFor();
  const answer = page.waitForResponse("**/api/execution/approve-step");
  await approve.click();
  assert.equal((await (await answer).json()).code, "command_changed");
  await review(page)
    .getByText(/^This command was not approved\. Another one is shown now\./)
    .waitFor();
  await page.unroute("**/api/execution/progress");
  await page.keyboard.press("Escape");
  await step.card.getByText(/^The command changed after it was shown to you/).waitFor();
  await step.is("waiting approval");
  await other.close();
});

story("a script that was not saved survives Back, a reload and the end of the session", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const step = await openEditor(owner);
  const text = editor(page).getByLabel("Text of step 1");
  const mine = `echo not saved yet\n${await text.inputValue()}`;
  await typeKept(text, mine);
  const place = page.url();
  await page.goBack();
  await step.card.getByText("You have unsaved changes to this script.").waitFor();
  await inspect(page, "a step with an unsaved script");
  await page.goForward();
  const goOn = review(page).getByRole("button", { name: "Continue editing" });
  await goOn.waitFor();
  await inspect(page, "a review with an unsaved script");
  await page.reload();
  await goOn.click();
  assert.equal(await text.inputValue(), mine);

  await owner.context.clearCookies();
  // A poll may notice the end of the session first; then the page leaves, and there is nothing to click.
  const save = editor(page).getByRole("button", { name: "Save as your script" });
  await save.click({ timeout: 5_000 }).catch(() => undefined);
  await page.getByText("Your session has ended. Sign in to continue where you were.").waitFor();
  await page.goto(`/api/github/login?login=${owner.login}`);
  await page.waitForURL("**/app");
  await page.goto(place);
  await goOn.click();
  assert.equal(await text.inputValue(), mine);
  await editor(page).getByRole("button", { name: "Save as your script" }).click();
  await review(page).getByRole("tab", { name: "Edited by you", selected: true }).waitFor();
  assert.equal(await goOn.count(), 0, "it is saved");
});

story("a script stays in the editor when another tab approves its step", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const step = await openEditor(owner);
  const text = editor(page).getByLabel("Text of step 1");
  const mine = `echo too late\n${await text.inputValue()}`;
  await text.fill(mine);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await review(other).getByRole("button", { name: "Approve", exact: true }).click();
  await new Workspace(other).step(1).is("completed");
  await other.close();
  await editor(page).getByText("This step is no longer waiting for approval.").waitFor();
  assert.equal(await text.inputValue(), mine);
  assert.ok(await editor(page).getByRole("button", { name: "Save as your script" }).isDisabled());
  await inspect(page, "an edited script whose step has moved on");
  await page.keyboard.press("Escape");
  await editor(page).getByRole("button", { name: "Close without saving" }).click();
  await page.waitForURL((url) => !url.searchParams.has("review"));
  await step.is("completed");
  await step.open();
  assert.equal(await page.getByText("You have unsaved changes").count(), 0, "it was discarded");
});

story("without a mouse a script is edited, saved and approved", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const step = await openEditor(owner, { closed: true });
  const edit = review(page).getByRole("button", { name: "Edit", exact: true });
  await tabTo(page, edit);
  await page.keyboard.press("Enter");
  await hasFocus(editor(page).getByLabel("Text of step 1"));
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("echo typed by hand\n");
  await page.keyboard.press("Control+s");
  await hasFocus(edit);
  await tabTo(page, review(page).getByRole("button", { name: "Approve", exact: true }));
  await page.keyboard.press("Enter");
  await step.is("completed");
  await hasFocus(step.card.getByRole("button", { name: /Step 1\b/ }));
});

story("on a phone a script is edited at full height, with Save in reach", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  const step = await openEditor(owner);
  const text = editor(page).getByLabel("Text of step 1");
  const { width, height } = await boxOf(editor(page));
  assert.deepEqual([width, height], [PHONE.width, PHONE.height]);
  const tall = await boxOf(text);
  assert.ok(tall.height > PHONE.height / 2, "most of the screen is for the text");
  await text.fill(`echo from a phone\n${await text.inputValue()}`);
  const save = editor(page).getByRole("button", { name: "Save as your script" });
  const box = await boxOf(save);
  assert.ok(box.y + box.height <= PHONE.height, "Save is on the screen");
  await save.click();
  await review(page).getByRole("button", { name: "Approve", exact: true }).click();
  await step.is("completed");
});
