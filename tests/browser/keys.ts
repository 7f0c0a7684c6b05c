/**
 * Measures the time from a key to the screen, alone and while a program prints as fast as it can. Prints one line of
 * JSON for each round, with values in milliseconds; `cargo dev bench` makes its table from them.
 *
 * A key's time runs from the browser's receipt of it until the frame with its echo has been painted: a frame comes
 * every 16.7 ms, so half of one is part of the median.
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { launch } from "./support/browser.ts";
import { startStack } from "./support/stack.ts";
import { TerminalPane } from "./support/terminal.ts";
import { installationOf, User } from "./support/user.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const KEYS = 100;
/** The time between two keys, in milliseconds: a quick typist, not synchronized with the frames. */
const BETWEEN_MS = 30;
const JITTER_MS = 20;
const LETTERS = "abcdefghijklmnoprstuvwxyz";
/** Redraws the same screen continuously, with the last key on it; q ends it. */
const FLOOD = `import os, select, tty
tty.setraw(0)
key = b"-"
page = b"\\x1b[H" + b"".join(b"%078d\\r\\n" % line for line in range(10))
while key != b"q":
    if select.select([0], [], [], 0)[0]:
        key = os.read(0, 1)
    os.write(1, page + b"key=" + key + b"\\r\\n")
`;

const [stack, browser] = await Promise.all([startStack(), launch()]);
try {
  const context = await browser.newContext({ baseURL: stack.url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto("/api/github/login?login=mira");
  await page.getByText("No projects yet").waitFor();
  const owner = new User({ context, page, login: "mira", installation: await installationOf(page) });
  const project = await owner.projectAt("execution");
  await page.goto(`/app/${project}/home/terminal`);
  const terminal = new TerminalPane(page);
  await terminal.connected();
  // Until the shell runs the line, it treats pasted text as its own input.
  await terminal.run("echo re''ads; cat > flood.py");
  await terminal.shows(/^reads$/m);
  await terminal.paste(FLOOD.replaceAll("\n", "\r"));
  await page.keyboard.press("Control+D");
  for (let round = 0; round < ROUNDS; round += 1) {
    console.log(JSON.stringify({ idle: await idle(terminal), flood: await flooded(terminal) }));
  }
} finally {
  await browser.close();
  await stack.stop();
}

/** The echoes of `cat`. */
async function idle(terminal: TerminalPane) {
  await terminal.run("clear; echo re''ady; cat >/dev/null");
  await terminal.shows(/^ready$/m);
  const taken = [];
  let typed = "";
  for (let key = 0; key < KEYS; key += 1) {
    const letter = LETTERS.charAt(key % LETTERS.length);
    typed += letter;
    taken.push(await keyToScreen(terminal, letter, typed));
  }
  await terminal.page.keyboard.press("Control+C");
  // Input typed before the shell has the terminal back is lost with the interrupted line.
  await terminal.shows(/\^C\n\S.*[$#]$/m);
  return taken;
}

/** The same during a flood of output. */
async function flooded(terminal: TerminalPane) {
  await terminal.run("clear; python3 flood.py; stty sane; clear; echo flood-''over");
  await terminal.shows(/^key=-$/m);
  const taken = [];
  for (let key = 0; key < KEYS; key += 1) {
    const letter = LETTERS.charAt(key % LETTERS.length);
    taken.push(await keyToScreen(terminal, letter, `key=${letter}`));
  }
  await terminal.page.keyboard.press("q");
  await terminal.shows(/^flood-over$/m);
  return taken;
}

/** Presses a key; returns the time until the frame that shows a text, in milliseconds. */
async function keyToScreen(terminal: TerminalPane, key: string, shown: string) {
  const { page } = terminal;
  await setTimeout(BETWEEN_MS + Math.random() * JITTER_MS);
  const rows = await terminal.screen.locator(".xterm-rows").elementHandle();
  assert.ok(rows);
  const watch = await rows.evaluateHandle((rows, text) => {
    let begun = Number.NaN;
    window.addEventListener("keydown", (event) => (begun = event.timeStamp), { capture: true, once: true });
    const isThere = () =>
      [...rows.children]
        .map((row) => row.textContent?.trimEnd())
        .join("")
        .includes(text);
    const taken: Promise<number> = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (Number.isNaN(begun) || !isThere()) return;
        observer.disconnect();
        // xterm draws before a frame, so a message that is posted then is handled after the frame.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - begun);
        port2.postMessage("");
      });
      observer.observe(rows, { childList: true, subtree: true, characterData: true });
    });
    return { taken };
  }, shown);
  await page.keyboard.press(key);
  return watch.evaluate(({ taken }) => taken);
}
