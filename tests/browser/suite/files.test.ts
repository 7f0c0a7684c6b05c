/** The sandbox's files: found, read, changed, and never lost. */
import assert from "node:assert/strict";
import { hasFocus } from "../support/focus.ts";
import { PHONE, scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("the keyboard moves through the tree, and changes and saves a file from it", async (t) => {
  const { page, files, terminal } = await withFiles(t, "mkdir -p notes/deep && echo one > notes/a.txt");
  await files.entry("notes").waitFor();
  await page.getByRole("button", { name: "New file" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  await hasFocus(files.entry("notes"));
  await page.keyboard.press("ArrowRight");
  await files.entry("a.txt").waitFor();
  assert.equal(await files.entry("notes").getAttribute("aria-expanded"), "true");
  await page.keyboard.press("ArrowRight");
  await hasFocus(files.entry("deep"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const text = files.text("a.txt");
  await text.waitFor();
  assert.equal(await text.inputValue(), "one\n");
  assert.ok(await files.save.isDisabled(), "nothing to save yet");

  await text.fill("one\ntwo\n");
  await files.panel.getByText("Unsaved changes", { exact: true }).waitFor();
  await page.keyboard.press("Control+s");
  await files.panel.getByText("Saved", { exact: true }).waitFor();
  await files.terminal();
  await terminal.run("wc -l notes/a.txt");
  await terminal.shows(/^2 notes\/a\.txt$/m);
});

story("a file that was changed elsewhere asks which text to keep", async (t) => {
  const { page, files, terminal } = await withFiles(t, "echo first > a.txt");
  const text = files.text("a.txt");
  const choice = (name: string) => page.getByRole("dialog").getByRole("button", { name });
  const bothWrite = async (theirs: string, mine: string) => {
    await files.terminal();
    await terminal.run(`echo ${theirs} > a.txt && echo ${theirs}-is''-there`);
    await terminal.shows(new RegExp(`^${theirs}-is-there$`, "m"));
    await files.files();
    await text.fill(mine);
    await text.press("Control+s");
    await page.getByRole("dialog", { name: "This file has changed since you opened it" }).waitFor();
  };
  await files.entry("a.txt").click();
  await text.waitFor();

  await bothWrite("theirs1", "mine one");
  await page.getByRole("group", { name: "In the sandbox" }).getByText("theirs1").waitFor();
  await page.getByRole("group", { name: "Yours" }).getByText("mine one").waitFor();
  await choice("Keep editing").click();
  // A key goes to the dialog as long as the dialog is open.
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await text.inputValue(), "mine one");
  await text.press("Control+s");
  await choice("Reload theirs").click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await text.inputValue(), "theirs1\n");

  await bothWrite("theirs2", "mine two");
  await choice("Overwrite with mine").click();
  await files.panel.getByText("Saved", { exact: true }).waitFor();
  await files.terminal();
  await terminal.run("cat a.txt; echo");
  await terminal.shows(/^mine two$/m);
});

story("a file that cannot be shown says why, and how to get it", async (t) => {
  const make = [
    "head -c 70000 /dev/zero | tr '\\0' x > large.txt",
    "printf 'a\\0b' > picture.bin",
    "mkdir -p ssh && ssh-keygen -q -t ed25519 -N '' -f ssh/id_ed25519",
    "ln -s /etc/hostname outside",
  ].join(" && ");
  const { page, files } = await withFiles(t, make);
  for (const [name, text, download] of [
    ["large.txt", "This file is too large to open here", true],
    ["picture.bin", "This is not a text file", true],
    ["outside", /This leads out of the workspace|This is not a text file/, false],
  ] as const) {
    await files.entry(name).click();
    await files.panel.getByText(text).waitFor();
    const hint = files.panel.getByRole("link", { name: "Download Workspace Directory" });
    assert.equal(await hint.count(), download ? 1 : 0, name);
    await files.panel.getByRole("button", { name: "Back to the files" }).last().click();
  }
  await files.entry("ssh").click();
  await files.entry("id_ed25519").click();
  await files.panel.getByText("This file is not shown here").waitFor();
  assert.equal(await page.getByText(/BEGIN .*PRIVATE KEY/).count(), 0);
});

story("leaving asks first and does not lose the typed text", async (t) => {
  const { owner, page, files, project } = await withFiles(t, "echo first > a.txt");
  await files.entry("a.txt").click();
  await files.text("a.txt").fill("not saved yet");

  await page.getByRole("link", { name: "Return to Projects" }).first().click();
  const question = page.getByRole("dialog", { name: "Leave with unsaved changes?" });
  await question.getByText("a.txt").waitFor();
  await question.getByRole("button", { name: "Stay" }).click();

  const stages = page.getByRole("navigation", { name: "Stages" });
  await stages.getByRole("link", { name: /Requirements/ }).click();
  await new Workspace(page).stage("Requirements").waitFor();
  await stages.getByRole("link", { name: /Execution/ }).click();
  await files.files();
  assert.equal(await files.text("a.txt").inputValue(), "not saved yet");

  const asked = page.waitForEvent("dialog");
  const leaving = page.goto(`/app/${project}/costs`).catch(() => undefined);
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await leaving;
  assert.equal(await files.text("a.txt").inputValue(), "not saved yet");
  await files.panel.getByRole("button", { name: "Discard changes" }).click();
  assert.equal(await files.text("a.txt").inputValue(), "first\n");
  await owner.open(project);
});

story("a step that has ended shows what it made, and a new file is there for the next one", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  await owner.open(await owner.projectAt("execution"), "?panel=files");
  const files = new Files(page);
  const step = new Workspace(page).step(1);
  await step.is("waiting approval");
  await page.getByRole("tree").waitFor();
  assert.equal(await files.entry("hello-service").count(), 0);
  await step.approve.click();
  await files.entry("hello-service").waitFor();

  await page.getByRole("button", { name: "New file" }).click();
  const name = page.getByLabel("Path of the new file");
  await name.fill("../escape");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("alert").getByText("must stay inside the workspace").waitFor();
  await name.fill("hello-service/notes.md");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await files.text("notes.md").fill("# Notes\n");
  await files.save.click();
  await files.panel.getByText("Saved", { exact: true }).waitFor();
  await page.getByRole("navigation", { name: "Path" }).getByRole("button", { name: "hello-service" }).click();
  await files.entry("notes.md").waitFor();

  await page.getByRole("button", { name: "New file" }).click();
  await name.fill("hello-service/notes.md");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("alert").getByText("There is already a file with this name.").waitFor();
  await page.getByRole("button", { name: "Open it" }).click();
  await page.getByLabel("Path of the new file").waitFor({ state: "detached" });
  assert.equal(await files.text("notes.md").inputValue(), "# Notes\n");
});

story(
  "at home on a phone the files come one after another, and wait for a sandbox that is stopped",
  async (t) => {
    const owner = await user(t, { viewport: PHONE });
    const { page } = owner;
    const project = await owner.projectAt("execution");
    await owner.call("POST", `/sandbox/stop/${project}`, { project });
    await page.goto(`/app/${project}/home/terminal`);
    await page.getByText("The sandbox is stopped. Start it to use the terminal.").waitFor();
    await page.goto(`/app/${project}/home/files`);
    const files = new Files(page);
    await page.getByText("The sandbox is stopped. Start it to see your files.").waitFor();
    await page.getByRole("region", { name: "Files" }).getByRole("button", { name: "Start Sandbox" }).click();
    await page.getByText("The workspace is empty.").or(page.getByRole("treeitem").first()).first().waitFor();
    await page.getByRole("button", { name: "New file" }).click();
    await page.getByLabel("Path of the new file").fill("a.txt");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await files.text("a.txt").fill("from a phone");
    assert.ok(await page.getByRole("tree").isHidden(), "there is room for one of them");
    await files.save.click();
    await page.getByRole("button", { name: "Back to the files" }).click();
    await files.entry("a.txt").waitFor();
  },
);

/** The file browser as its user sees it. */
class Files {
  page: Page;
  panel: Locator;
  save: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole("region", { name: /files/i });
    this.save = this.panel.getByRole("button", { name: "Save", exact: true });
  }

  entry(name: string) {
    return this.page.locator(`[role=treeitem][data-path$="${name}"]`);
  }

  text(name: string) {
    return this.page.getByLabel(`Text of ${name}`);
  }

  terminal() {
    return this.page.getByRole("tab", { name: "Terminal" }).click();
  }

  files() {
    return this.page.getByRole("tab", { name: "Files" }).click();
  }
}

/** An execution with these files in its workspace, and the file browser open. */
async function withFiles(t: TestContext, command: string) {
  const owner = await user(t);
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.open(project);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run(`${command} && echo files-''made`);
  await terminal.shows(/^files-made$/m);
  const files = new Files(page);
  await files.files();
  return { owner, page, project, terminal, files };
}
