/** The terminal: a shell in the sandbox that feels like a local one. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

story("typing echoes, a command answers, and a reload replays what was there", async (t) => {
  const { page, terminal } = await atTerminal(t);
  await terminal.keys.focus();
  await page.keyboard.type("echo ground''crew-$((40 + 2))");
  await terminal.shows(/echo ground''crew-\$\(\(40 \+ 2\)\)$/m);
  await page.keyboard.press("Enter");
  await terminal.shows(/^groundcrew-42$/m);

  const before = await terminal.text();
  await page.reload();
  await terminal.shows(/^groundcrew-42$/m);
  const shell = (text: string) => text.slice(text.indexOf("echo ground")).trimEnd();
  assert.equal(shell(await terminal.text()), shell(before), "the replay is what was there, once");
  await terminal.run("echo still-$((6 * 7))");
  await terminal.shows(/^still-42$/m);
});

story("the terminal animates nothing, so the browser draws a key at once", async (t) => {
  const { terminal } = await atTerminal(t, { reducedMotion: "no-preference" });
  await terminal.run("echo gone-$((6 * 7))");
  await terminal.shows(/^gone-42$/m);
  const moving = await terminal.screen.evaluate((screen) => screen.getAnimations({ subtree: true }).length);
  assert.equal(moving, 0);
});

story("the shell has the size that is drawn, and the size follows the window", async (t) => {
  const { page, terminal } = await atTerminal(t);
  const large = await sizes(terminal, "before");
  assert.equal(large.rows, large.drawn);

  await page.setViewportSize({ width: 1500, height: 620 });
  await page.waitForFunction(
    (rows) => document.querySelectorAll("[data-testid=terminal] .xterm-rows > div").length < rows,
    large.rows,
  );
  const small = await sizes(terminal, "after");
  assert.equal(small.rows, small.drawn);
  assert.ok(small.cols < large.cols, `${small.cols} of ${large.cols} columns`);
});

story("Ctrl-C stops a running program", async (t) => {
  const { page, terminal } = await atTerminal(t);
  await terminal.run("echo be''gun; sleep 100000");
  await terminal.shows(/^begun$/m);
  await page.keyboard.press("Control+C");
  await terminal.shows(/^\^C/m);
  await terminal.run("echo ended-with-$?");
  await terminal.shows(/^ended-with-130$/m);
});

story("a command that an agent types waits above the terminal while a program has it", async (t) => {
  const owner = await user(t, { viewport: { width: 1920, height: 900 } });
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await owner.paid();
  await owner.open(project);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  await terminal.run("seq 500 > long; less long");
  await terminal.shows(/^20$/m);
  await owner.call("GET", "/execution/agent?message=Type%20%60pwd%60", { project });
  // The page looks for commands when it opens.
  await page.reload();
  const waiting = page.getByRole("region", { name: "Commands for this terminal" });
  await waiting.getByText("pwd", { exact: true }).waitFor();
  await terminal.shows(/^20$/m);
  await terminal.keys.focus();
  await page.keyboard.press("q");
  await terminal.run("echo fr''ee");
  await terminal.shows(/^free$/m);
  await waiting.getByRole("button", { name: "Insert" }).click();
  await terminal.shows(/[$#] pwd$/m);
  await waiting.getByText("pwd", { exact: true }).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await terminal.shows(/^\/.*workspace$/m);
});

story("keys at full speed and a long pasted text arrive whole and in order", async (t) => {
  const { page, terminal } = await atTerminal(t);
  const typed = lines(20, "the quick brown fox");
  const pasted = lines(1_500, "jumps over the lazy dog 🛫");
  // Input typed before the shell has handed the terminal over is interpreted by the shell's own rules.
  await terminal.run("stty -echo; echo re''ady; cat >keys.txt; stty echo; sha256sum keys.txt");
  await terminal.shows(/^ready$/m);
  await page.keyboard.type(typed);
  await terminal.paste(pasted);
  await page.keyboard.press("Control+D");
  const digest = createHash("sha256")
    .update(typed + pasted)
    .digest("hex");
  await terminal.shows(new RegExp(`^${digest}  keys.txt$`, "m"));
});

story("a second terminal has its own shell, and both are restored after a reload", async (t) => {
  const owner = await user(t, { viewport: { width: 1920, height: 900 } });
  const { page } = owner;
  const project = await owner.projectAt("execution");
  await page.goto(`/app/${project}/home/terminal`);
  const terminal = new TerminalPane(page);
  const tab = (name: string) => page.getByRole("tab", { name }).click();
  await terminal.connected();
  await terminal.run("here=first; echo in-$here");
  await terminal.shows(/^in-first$/m);
  await page.getByRole("button", { name: "New terminal" }).click();
  await terminal.connected();
  await terminal.run("echo in-$here-second");
  await terminal.shows(/^in--second$/m);
  await page.reload();
  await terminal.shows(/^in-first$/m);
  assert.doesNotMatch(await terminal.text(), /second/);
  await tab("Terminal 2");
  await terminal.shows(/^in--second$/m);
  await page.getByRole("button", { name: "Close Terminal 2" }).click();
  await terminal.shows(/^in-first$/m);
  assert.equal(await page.getByRole("tab").count(), 1);
  await page.getByRole("button", { name: "Reopen Terminal 2" }).click();
  await terminal.shows(/^in--second$/m);
});

story(
  "a command of the agent is typed only once: reading runs, and anything else waits for Enter",
  async (t) => {
    const { page, terminal } = await atTerminal(t);
    const tab = (name: string) => page.getByRole("tab", { name }).click();
    const workspace = new Workspace(page);
    await tab("Chat");
    await workspace.say("Execution agent", "Type `uname -s`");
    await tab("Terminal");
    await terminal.shows(/[$#] \/usr\/bin\/uname -s\nLinux$/m);
    await tab("Chat");
    await workspace.say("Execution agent", "Type `touch made-by-agent`");
    await tab("Terminal");
    await terminal.shows(/[$#] touch made-by-agent$/m);
    await terminal.keys.focus();
    await page.keyboard.press("Enter");
    await terminal.run("ls made-by-agent");
    await terminal.shows(/^made-by-agent$/m);
    const typed = (await terminal.text()).match(/[$#] \/usr\/bin\/uname -s/g);
    assert.equal(typed?.length, 1, "nothing is typed twice");
  },
);

/** Numbered lines, so that no two are the same. */
function lines(count: number, text: string) {
  return Array.from({ length: count }, (_, at) => `${at} ${text}\n`).join("");
}

/** The size that the shell reports, and how many rows are drawn. */
async function sizes(terminal: TerminalPane, mark: string) {
  await terminal.run(`echo ${mark} $(stty size)`);
  const answer = new RegExp(`^${mark} (\\d+) (\\d+)$`, "m");
  await terminal.shows(answer);
  const [, rows, cols] = answer.exec(await terminal.text()) ?? [];
  return { rows: Number(rows), cols: Number(cols), drawn: await terminal.rows.count() };
}

async function atTerminal(t: TestContext, options?: Parameters<typeof user>[1]) {
  // Wide enough that no line wraps.
  const owner = await user(t, { viewport: { width: 1920, height: 900 }, ...options });
  await owner.open(await owner.projectAt("execution"));
  const terminal = new TerminalPane(owner.page);
  await terminal.connected();
  return { page: owner.page, terminal };
}
