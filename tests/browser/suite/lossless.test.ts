/** A terminal loses nothing: the page shows exactly what the shell printed, whatever happens to its connection. */

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";

const { user, story } = scene();

const LINES = 2_000_000;
/** How much is printed at once, and the pause after it in seconds: some twenty seconds in total. */
const PIECE_BYTES = 400_000;
const PAUSE_S = 0.5;
const CUT_MS = 30_000;
/** How many lines the page keeps above the visible ones. */
const SCROLLBACK = 1_000;
/** More pages than the scrollback has. */
const MOST_PAGES = 200;

story(
  "two million lines survive a reload, a network that is gone for half a minute and a gateway that restarts",
  async (t) => {
    const owner = await user(t, { viewport: { width: 1920, height: 900 } });
    const { context, page } = owner;
    const network = await Network.of(context);
    await owner.open(await owner.projectAt("execution"));
    const terminal = new TerminalPane(page);
    await terminal.connected();
    await terminal.run(
      `clear; seq 1 ${LINES} | split -b ${PIECE_BYTES} --filter='cat; sleep ${PAUSE_S}'; echo all-''done`,
    );
    await terminal.shows(/^\d{5}$/m);
    await page.reload();
    await terminal.shows(/^\d{6}$/m);
    const before = await last(terminal);
    await network.cut();
    await setTimeout(CUT_MS);
    assert.ok((await last(terminal)) < LINES, "the cut came in the middle");
    await network.mend();
    await moved(terminal, before);
    await network.restart();
    await terminal.shows(/^all-done$/m);

    const shown = await kept(terminal);
    const expected = Array.from({ length: shown.length }, (_, index) => LINES - shown.length + 1 + index);
    assert.deepEqual(
      shown,
      expected,
      "what the page keeps is the end of what was printed, each line once and in order",
    );
    assert.ok(shown.length >= SCROLLBACK, `it keeps ${shown.length} lines`);
    await terminal.run("echo still-$((6 * 7))");
    await terminal.shows(/^still-42$/m);
  },
);

/** A proxy for the page's WebSockets. */
class Network {
  #sockets = new Set<{ close: () => Promise<void> }>();
  #isCut = false;

  context: User["context"];

  constructor(context: BrowserContext) {
    this.context = context;
  }

  static async of(context: BrowserContext) {
    const network = new Network(context);
    await context.routeWebSocket(/./, (page) => {
      const server = page.connectToServer();
      const ends = async () => {
        network.#sockets.delete(both);
        await Promise.all([page.close(), server.close()]);
      };
      const both = { close: ends };
      network.#sockets.add(both);
      page.onMessage((message) => network.#isCut || server.send(message));
      server.onMessage((message) => network.#isCut || page.send(message));
      page.onClose(ends);
      server.onClose(ends);
    });
    return network;
  }

  /** Drops everything in both directions, without closing any connection. */
  async cut() {
    this.#isCut = true;
    await this.context.setOffline(true);
  }

  /** Forwards data again from now on; connections that lost data are closed. */
  async mend() {
    await this.restart();
    this.#isCut = false;
    await this.context.setOffline(false);
  }

  /** Closes all connections. */
  async restart() {
    await Promise.all([...this.#sockets].map((socket) => socket.close()));
  }
}

/** The numbers on the screen. */
async function numbers(terminal: TerminalPane) {
  const lines = (await terminal.text()).split("\n");
  return lines.filter((line) => /^\d+$/.test(line)).map(Number);
}

/** The highest of them. */
async function last(terminal: TerminalPane) {
  return Math.max(0, ...(await numbers(terminal)));
}

/** Waits until a number higher than this one is on the screen. */
async function moved(terminal: TerminalPane, number: number) {
  while ((await last(terminal)) <= number) await setTimeout(50);
}

/** All numbers that the page keeps, read by scrolling up to the top. */
async function kept(terminal: TerminalPane) {
  await terminal.keys.focus();
  let all = await numbers(terminal);
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const [top] = all;
    await terminal.page.keyboard.press("Shift+PageUp");
    await setTimeout(100);
    const above = (await numbers(terminal)).filter((number) => top === undefined || number < top);
    if (above.length === 0) break;
    all = [...above, ...all];
  }
  return all;
}
