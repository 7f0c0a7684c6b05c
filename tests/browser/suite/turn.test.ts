/** Whose turn it is can be seen from elsewhere, a run can be ended, and a failure can be asked about. */
import assert from "node:assert/strict";
import { boxOf } from "../support/drawn.ts";
import { hasFocus } from "../support/focus.ts";
import { inspect } from "../support/inspect.ts";
import { PHONE, scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");
const titled = (page: Page, text: string) =>
  page.waitForFunction((text) => document.title.startsWith(text), text);

story("the tab says when a step waits and when one failed, also from another stage", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  const terminal = new TerminalPane(page);
  await titled(page, "Step 1 is waiting for you");
  assert.equal(await icon(page), "/mark-waiting.svg");
  await owner.open(project, "?stage=requirements");
  await titled(page, "Step 1 is waiting for you · Requirements");
  await owner.open(project);
  await workspace.step(1).approve.click();
  await workspace.step(2).is("waiting approval");
  await terminal.connected();
  await terminal.run("rm -rf hello-service && echo removed");
  await terminal.shows(/^removed$/m);
  await workspace.step(2).approve.click();
  await titled(page, "Step 2 failed");
  assert.equal(await icon(page), "/mark-failed.svg");
  await page.getByRole("link", { name: "Return to Projects" }).click();
  await titled(page, "(1) My Projects");
  assert.equal(await icon(page), "/mark-waiting.svg");
  await page.getByRole("button", { name: /user menu/ }).click();
  await page.getByRole("menuitem", { name: "E-mail when it is your turn" }).click();
  await page.getByText("E-mails are off.").waitFor();
  assert.equal(await icon(page), "/mark.svg");
});

story("a user who asked for it is notified of a waiting step while they are elsewhere", async (t) => {
  const owner = await user(t);
  const { context, page } = owner;
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    window.notices = [];
    const Notified = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      close() {}
      static last: unknown;
      constructor(title: string, { body }: { body: string }) {
        Notified.last = this;
        window.notices.push([title, body]);
      }
    };
    Object.assign(window, { Notification: Notified });
    Object.defineProperty(document, "visibilityState", { get: () => (window.away ? "hidden" : "visible") });
  });
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await workspace.approvals.click();
  const toggle = page.getByRole("switch", { name: "Notify Me" });
  assert.equal(await toggle.getAttribute("aria-checked"), "false", "notifications are off by default");
  await toggle.click();
  await workspace.step(1).approve.click();
  await page.evaluate(() => {
    window.away = true;
  });
  await page.waitForFunction(() => window.notices.length > 0);
  const notices = await page.evaluate(() => window.notices);
  assert.equal(notices.length, 1);
  assert.equal(notices[0]?.[0], "Step 2 is waiting for you");
  assert.match(notices[0]?.[1] ?? "", /Health page/);
  await page.evaluate(() =>
    (Notification as unknown as { last: Notification }).last.onclick?.(new Event("")),
  );
  await page.waitForURL((url) => url.searchParams.get("stage") === "execution");
  await workspace.step(2).is("waiting approval");
});

story("a running step shows its time and its Cancel at any scroll position", async (t) => {
  const owner = await user(t);
  const { page, project, workspace, terminal } = await atSecondStep(owner);
  await terminal.run("printf 'echo begun; sleep 1000\\n' > hello-service/control.sh && echo slo''wed");
  await terminal.shows(/^slowed$/m);
  await workspace.step(2).approve.click();
  const bar = page.getByRole("region", { name: "What is running" });
  await bar.getByText("Step 2 is running").waitFor();
  await bar.getByRole("timer").getByText("0:02").waitFor();
  await page.reload();
  const time = await bar.getByRole("timer").innerText();
  assert.notEqual(time, "0:00", "a reload does not start it over");
  await bar.getByRole("button", { name: "Cancel step 2" }).click();
  await workspace.step(2).is("failed");
  await bar.waitFor({ state: "hidden" });
  assert.ok(project > 0);
});

story("a running step is ended from any page of its project, on a phone and by keyboard", async (t) => {
  const owner = await user(t);
  const { page, project, workspace, terminal } = await atSecondStep(owner);
  await terminal.run("printf 'echo begun; sleep 1000\\n' > hello-service/control.sh && echo slo''wed");
  await terminal.shows(/^slowed$/m);
  await workspace.step(2).approve.click();
  const bar = page.getByRole("region", { name: "What is running" });
  const cancel = bar.getByRole("button", { name: "Cancel step 2" });
  await bar.getByText("Step 2 is running").waitFor();
  assert.equal(await bar.count(), 1, "the card alone shows it");
  for (const viewport of [PHONE, { width: 844, height: 390 }]) {
    await page.setViewportSize(viewport);
    for (const card of ["Steps", "Chat, terminal and files"]) {
      await page.getByRole("button", { name: card, exact: true }).click();
      const { y, height } = await boxOf(cancel);
      assert.ok(y + height <= viewport.height, `${card} at ${viewport.width}: it ends at ${y + height}`);
    }
  }
  await inspect(page, "a running step beside the terminal of a phone", ["light 390", "dark 390"]);
  for (const place of ["?stage=requirements", "/costs", "/home/files", "/timeline"]) {
    await page.goto(`/app/${project}${place}`);
    await bar.getByRole("timer").waitFor();
    await cancel.waitFor();
  }
  await page.route("**/api/execution/cancel-step", (route) => route.abort());
  await cancel.focus();
  await page.keyboard.press("Enter");
  await bar.getByText(/^This run was not canceled/).waitFor();
  await hasFocus(cancel);
  await page.unroute("**/api/execution/cancel-step");
  await page.keyboard.press("Enter");
  await bar.waitFor({ state: "hidden" });
  await hasFocus(page.getByRole("main"));
  await titled(page, "Step 2 failed · Timeline");
  assert.equal(await icon(page), "/mark-failed.svg");
});

story("a failed step shows its last lines, and one click asks its agent why", async (t) => {
  const owner = await user(t);
  const { page, workspace, terminal } = await atSecondStep(owner);
  await terminal.run(
    "printf 'seq 1 40; echo the-cause >&2; exit 3\\n' > hello-service/control.sh && echo spo''ilt",
  );
  await terminal.shows(/^spoilt$/m);
  const step = workspace.step(2);
  await step.approve.click();
  await step.is("failed");
  await step.card.getByRole("group", { name: "Last lines of step 2" }).getByText("the-cause").waitFor();
  await step.card.getByRole("button", { name: "Ask why" }).click();
  const log = page.getByRole("log", { name: "Conversation with Execution agent" });
  await log.getByText("Why did step 2 fail, and how can it be fixed?").waitFor();
  await page.waitForFunction(
    () => document.querySelector("[aria-label='Message to Execution agent']:enabled") !== null,
  );
  assert.match(page.url(), /panel=chat/);
});

/** A layout-shift entry, which the DOM's types do not include. */
interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  value: number;
}

story("an approval moves nothing abruptly", async (t) => {
  const owner = await user(t, { reducedMotion: "no-preference" });
  const { page } = owner;
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as LayoutShift[];
      for (const { hadRecentInput, value } of shifts) if (!hadRecentInput) window.shift += value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await owner.open(await owner.projectAt("execution"));
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await new TerminalPane(page).connected();
  for (const number of [1, 2, 3]) {
    await page.evaluate(() => {
      window.shift = 0;
    });
    await workspace.step(number).approve.click();
    await workspace.step(number + 1).is("waiting approval");
    const shift = await page.evaluate(() => window.shift);
    assert.ok(shift <= 0.02, `approving step ${number} shifts the page by ${shift}`);
  }
});

/** An execution whose first step is done and whose second one waits, with the terminal connected. */
async function atSecondStep(owner: User) {
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
