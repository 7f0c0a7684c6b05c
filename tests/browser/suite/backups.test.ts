/** Backups: made for a reason, listed, and restored without losing the present files. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { answering, hold } from "../support/calls.ts";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";

const { user, story } = scene();

/** Large enough to come in several pieces. */
const DOWNLOADED_BYTES = 20_000_000;

story("a requested backup is listed and restored, and the restore can be undone", async (t) => {
  const { page, project, section, terminal } = await atHome(t);
  await section("Terminal");
  await terminal.connected();
  await terminal.run("echo before > a.txt && echo wrote''-before");
  await terminal.shows(/^wrote-before$/m);
  await page.getByRole("button", { name: "Backup Sandbox Files" }).click();
  await section("Backups");
  const list = page.getByRole("group", { name: "Backups" }).getByRole("listitem");
  const newest = list.first();
  await newest.getByText(/^By hand/).waitFor();
  await newest.getByText(/^\d+ (B|KB|MB)$/).waitFor();
  await newest.getByText("newest").waitFor();

  await section("Terminal");
  await terminal.connected();
  await terminal.run("echo after > a.txt && touch b.txt && echo wrote''-after");
  await terminal.shows(/^wrote-after$/m);
  await section("Backups");
  await newest.getByRole("button", { name: /^Restore the backup of/ }).click();
  const question = page.getByRole("dialog", { name: "Restore this backup?" });
  await question.getByText("backed up first").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });

  const asked = page.waitForRequest(`**/api/sandbox/restore/${project}`);
  await newest.getByRole("button", { name: /^Restore the backup of/ }).click();
  await question.getByRole("button", { name: "Restore", exact: true }).click();
  assert.ok((await asked).postDataJSON().backup_id);
  await page.getByText(/Restored: /).waitFor();
  await list
    .getByText(/^Before a restore/)
    .first()
    .waitFor();
  await section("Files");
  await page.locator("[data-path='a.txt']").click();
  assert.equal(await page.getByLabel("Text of a.txt").inputValue(), "before\n");
  assert.equal(await page.locator("[data-path='b.txt']").count(), 0, "later files are gone");

  await section("Backups");
  const kept = list.filter({ hasText: "Before a restore" }).first();
  await kept.getByRole("button", { name: /^Restore the backup of/ }).click();
  await question.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText(/Restored: /).waitFor();
  await section("Files");
  await page.locator("[data-path='b.txt']").waitFor();
});

story("a restore that fails says why, and one that runs says so", async (t) => {
  const { page, section } = await atHome(t);
  await page.getByRole("button", { name: "Backup Sandbox Files" }).click();
  await section("Backups");
  const restore = page.getByRole("button", { name: /^Restore the backup of/ }).first();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true });
  const detail = "A step is running. Restore when it has ended.";
  const refusal = { status: 409, json: { detail, code: "step_running", request_id: "r" } };
  await answering(page, "**/api/sandbox/restore/*", refusal);
  const release = await hold(page, "**/api/sandbox/restore/*");
  await restore.click();
  await confirm.click();
  await page.getByRole("status").getByText("Restoring...").waitFor();
  const busy = page.getByRole("button", { name: /^Restoring\.\.\. the backup of/ });
  assert.ok(await busy.isDisabled(), "one at a time");
  release();
  await page.getByRole("alert").getByText(detail).waitFor();
  assert.ok(await restore.isEnabled(), "it can be tried again");
});

story("without a sandbox backups are listed and can be restored once it runs", async (t) => {
  const { owner, page, project, section } = await atHome(t);
  await page.getByRole("button", { name: "Stop Sandbox" }).click();
  await page.getByRole("status").getByText("Sandbox Not Running", { exact: true }).waitFor();
  await section("Backups");
  await page.getByText("Restoring needs a running sandbox.").waitFor();
  await page
    .getByRole("group", { name: "Backups" })
    .getByText(/^Before stopping/)
    .waitFor();
  assert.ok(
    await page
      .getByRole("button", { name: /^Restore the backup of/ })
      .first()
      .isDisabled(),
  );
  const [newest] = await owner.call("GET", `/sandbox/backups/${project}`, { project });
  assert.equal(newest.reason, "stop");
});

story("a download shows its progress, and the other one can run at the same time", async (t) => {
  const { page, section, terminal } = await atHome(t);
  await section("Terminal");
  await terminal.connected();
  await terminal.run(`head -c ${DOWNLOADED_BYTES} /dev/urandom > noise.bin && echo ma''de`);
  await terminal.shows(/^made$/m);
  // They may be gone before the test looks.
  await page.evaluate(() => {
    window.said = new Set();
    const look = () => {
      for (const button of document.querySelectorAll("button")) window.said.add(button.textContent);
    };
    new MutationObserver(look).observe(document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download Workspace Directory" }).click();
  assert.ok(await page.getByRole("button", { name: "Download Project Folder" }).isEnabled());
  const { size } = await stat(await (await download).path());
  assert.ok(size > DOWNLOADED_BYTES, "random data does not compress");
  const said = await page.evaluate(() => [...window.said]);
  assert.ok(said.includes("Downloading..."), said.join(", "));
  const counted = said.filter((text) => /^Downloading\.\.\. \d+(\.\d)? (KB|MB)$/.test(text));
  assert.ok(counted.length > 1, `the count grows: ${counted}`);
});

/** A person at the home of a project with a running sandbox. */
async function atHome(t: TestContext) {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await page.goto(`/app/${project}/home/environment-guide`);
  await page.getByRole("button", { name: "Stop Sandbox" }).waitFor();
  const section = (name: string) =>
    page.getByRole("navigation", { name: "Project home" }).getByRole("link", { name }).click();
  return { owner, page, project, section, terminal: new TerminalPane(page) };
}
