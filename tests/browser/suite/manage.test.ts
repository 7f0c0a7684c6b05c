/** Finding one's way: among many projects, without a mouse, in small windows and in forced colors. */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("a user with many projects finds one by its name, and Back restores the search", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  for (const [name, description] of [
    ["Shop database", "PostgreSQL"],
    ["Status page", "nginx"],
    ["Shop cache", "Redis"],
  ]) {
    await owner.call("POST", "/projects", { data: { name, description } });
  }
  await page.reload();
  const cards = page.getByRole("main").getByRole("listitem");
  const names = async () => cards.getByRole("heading").allInnerTexts();
  await cards.nth(2).waitFor();
  await page.keyboard.press("/");
  await hasFocus(page.getByRole("searchbox", { name: "Search projects" }));
  await page.keyboard.type("shop");
  await cards.nth(2).waitFor({ state: "detached" });
  assert.deepEqual(await names(), ["Shop cache", "Shop database"]);
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("Name");
  await cards.getByRole("link", { name: /Shop database/ }).click();
  await page.getByRole("heading", { name: "Requirements", level: 1 }).waitFor();
  await page.goBack();
  await cards.nth(1).waitFor();
  assert.deepEqual(await names(), ["Shop cache", "Shop database"]);
  await page.getByRole("searchbox").fill("nothing like it");
  await page.getByText("No project matches").waitFor();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await cards.nth(2).waitFor();
});

story("the first Tab leads past the rail, and creating a project keeps the focus", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await page.reload();
  await page.getByText("No projects yet").waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("button", { name: "Skip to content" });
  await hasFocus(skip);
  await page.keyboard.press("Enter");
  await hasFocus(page.getByRole("main"));

  await page.getByRole("main").getByRole("button", { name: "Create Project" }).click();
  await page.getByLabel("Project Name").fill("By keyboard");
  await page.keyboard.press("Enter");
  await hasFocus(page.getByRole("heading", { name: "Requirements", level: 1 }));
});

story("in a small window Confirm is on the screen whichever card is shown", async (t) => {
  const owner = await user(t, { viewport: PHONE });
  const { page } = owner;
  await owner.open(await owner.projectAt("architecture"));
  const confirm = page.getByRole("button", { name: "Confirm Architecture & Continue" });
  for (const card of ["Chat", "Architecture plan"]) {
    await page.getByRole("navigation", { name: "Cards" }).getByRole("button", { name: card }).click();
    const { y, height } = await boxOf(confirm);
    assert.ok(y > 0 && y + height <= PHONE.height, `Confirm is in sight beside ${card}`);
  }
  await page.reload();
  const shown = page.getByRole("navigation", { name: "Cards" }).getByRole("button", { pressed: true });
  assert.equal(await shown.innerText(), "Architecture plan", "the card is still the one that was shown");
});

/** The least height in which a conversation or a script can be read, in pixels. */
const READABLE_PX = 110;

for (const [what, viewport] of [
  ["a phone held sideways", { width: 844, height: 390 }],
  ["a window at 200 %", { width: 720, height: 450 }],
] as const) {
  story(`in ${what} a step is read and approved`, async (t) => {
    const owner = await user(t, { viewport });
    const { page } = owner;
    await owner.open(await owner.projectAt("execution"));
    const workspace = new Workspace(page);
    const step = workspace.step(1);
    await step.is("waiting approval");
    await step.approve.scrollIntoViewIfNeeded();
    const { y, height } = await boxOf(step.approve);
    assert.ok(y + height <= viewport.height, "Approve is on the screen");
    await step.card.getByRole("button", { name: "Review" }).click();
    const review = page.getByRole("dialog");
    await review.getByRole("button", { name: "Reject with a reason..." }).click();
    const tabs = await boxOf(review.getByRole("tablist"));
    const reason = await boxOf(review.getByLabel("What should the agent do differently?"));
    assert.ok(reason.y - tabs.y - tabs.height >= READABLE_PX, "the script stays readable beside the reason");
    await inspect(page, `the review with a reason in ${what}`);
    await review.getByRole("button", { name: "Back" }).click();
    await page.keyboard.press("Escape");
    await step.approve.click();
    await step.is("completed");
    await workspace.header(1).scrollIntoViewIfNeeded();
    assert.ok(await workspace.header(1).isVisible(), "completed steps can be scrolled to");
  });
}

story("a focus that a page moves out of a dialog returns to the dialog", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const { card } = new Workspace(page).step(1);
  const outside = await card.getByRole("button", { name: "Review" }).elementHandle();
  assert.ok(outside);
  await outside.click();
  const review = page.getByRole("dialog");
  await review.evaluate((dialog) => dialog.focus());
  await outside.evaluate((button) => (button as HTMLElement).focus());
  assert.ok(await review.evaluate((dialog) => dialog.contains(document.activeElement)));
});

for (const [what, viewport] of [
  ["a phone held sideways", { width: 844, height: 390 }],
  ["a window at 200 %", { width: 640, height: 400 }],
] as const) {
  story(`in ${what} every conversation and document is read, in a change as well`, async (t) => {
    const owner = await user(t, { viewport });
    const { page } = owner;
    const project = await owner.projectAt("validation");
    await owner.runAll(project, "validation");
    const seen = async (place: Locator, name: string) => {
      await place.scrollIntoViewIfNeeded();
      const { y, height } = await boxOf(place);
      const shown = Math.min(y + height, viewport.height) - Math.max(y, 0);
      assert.ok(shown >= READABLE_PX, `${name}: ${shown} of ${height} px are on the screen`);
    };
    const reached = async (place: Locator, name: string) => {
      await place.scrollIntoViewIfNeeded();
      const { y, height } = await boxOf(place);
      assert.ok(y >= 0 && y + height <= viewport.height, `${name} is on the screen`);
    };
    const readable = async (when: string) => {
      for (const stage of ["requirements", "architecture", "implementation", "execution", "validation"]) {
        await owner.open(
          project,
          `?stage=${stage}&panel=chat${/tion$/.test(stage) && stage !== "implementation" ? "&card=side" : ""}`,
        );
        const log = page.getByRole("log");
        await log.waitFor();
        await seen(log, `${when}, the conversation of ${stage}`);
        await reached(page.getByLabel(/^Message to /), `${when}, the input of ${stage}`);
      }
      for (const [stage, name] of [
        ["requirements", "Requirements"],
        ["architecture", "Architecture plan"],
        ["implementation", "Implementation plan"],
      ]) {
        await owner.open(project, `?stage=${stage}&card=side`);
        await seen(page.getByRole("group", { name, exact: true }), `${when}, the document of ${stage}`);
      }
    };
    await readable("first build");
    const data = { is_completed: true };
    await owner.call("PUT", `/project-states/${project}/stages/validation`, { project, data });
    await owner.call("POST", `/projects/${project}/changes`, { data: { wish: "Use port 9090" } });
    await owner.open(project, "?stage=requirements");
    await page.getByRole("region", { name: "Current change" }).getByText("Change 2").waitFor();
    await seen(page.getByRole("log"), "the conversation of a change");
    await reached(page.getByLabel(/^Message to /), "the input of a change");
    await page.goto("/app");
    await page
      .getByRole("button", { name: /^Create/ })
      .first()
      .click();
    const create = page.getByRole("dialog").getByRole("button", { name: "Create Project" });
    await reached(create, "the button of a dialog");
    const { y, height } = await boxOf(page.getByRole("dialog"));
    const { y: top } = await boxOf(create);
    assert.ok(top < y + height, "the button is inside the dialog");
  });
}

story("in forced colors buttons have a border and switches show whether they are on", async (t) => {
  const owner = await user(t, { forcedColors: "active" });
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"));
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  const look = (locator: Locator) =>
    locator.evaluate((it) => {
      const { borderStyle, borderWidth, backgroundColor } = getComputedStyle(it);
      return { border: `${borderStyle} ${borderWidth}`, background: backgroundColor };
    });
  assert.equal((await look(workspace.step(1).approve)).border, "solid 1px");
  const off = await look(workspace.autoRetry);
  assert.equal(off.border, "solid 1px");
  await workspace.autoRetry.click();
  assert.notEqual(
    (await look(workspace.autoRetry)).background,
    off.background,
    "on looks different from off",
  );
});
