/** Polling never moves: a page on which nothing happens is not touched by being read again. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.js";
import { scene } from "../support/scene.js";
import { Workspace } from "../support/workspace.js";

const { user, story } = scene();

/** The slowest poll of these pages, in milliseconds: two rounds of it are watched. */
const ROUND_MS = 10_000;

story("an execution that waits is left alone by two rounds of polls", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  await owner.open(await owner.projectAt("execution"));
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await page.getByText("connected", { exact: true }).waitFor();
  await page.getByText("Sandbox running").waitFor();
  await calls.settled();
  await workspace.step(1).card.getByRole("group").first().focus();
  await untouched(page, calls, ["/execution/progress", "/costs", "/sandbox/status/"]);
});

story("a plan that is read is left alone by two rounds of polls", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  await owner.open(await owner.projectAt("architecture"));
  await page.getByRole("button", { name: "Confirm Architecture & Continue" }).waitFor();
  await page.getByText(/updated/).waitFor();
  await calls.settled();
  const input = page.getByLabel("Message to Cloud architect");
  await input.fill("half a sent");
  await untouched(page, calls, ["/planning/architecture-plan", "/costs"]);
  assert.equal(await input.inputValue(), "half a sent");
});

story("requirements that are gathered are left alone by two rounds of polls", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  await owner.open(await owner.projectAt("requirements"));
  await page.getByText("No requirements yet").waitFor();
  await calls.settled();
  await untouched(page, calls, ["/planning/requirements", "/costs"]);
});

/**
 * Lets two rounds pass while everything that changes in the page, its focus and its scrolling is noted.
 * @param {Page} page
 * @param {Calls} calls
 * @param {string[]} polls the paths of the calls that each round makes
 */
async function untouched(page, calls, polls) {
  await page.evaluate(watch);
  const before = await page.evaluate(place);
  for (let round = 0; round < 2; round += 1) {
    const answers = polls.map((path) => page.waitForResponse((response) => response.url().includes(path)));
    await page.clock.fastForward(ROUND_MS);
    for (const answer of await Promise.all(answers)) await answer.finished();
    await calls.settled();
  }
  assert.deepEqual(await page.evaluate(() => window.changes), []);
  assert.deepEqual(await page.evaluate(place), before, "the focus or the scrolling moved");
}

/** The calls that a page has under way, but for those that are streams and end when they like. */
class Calls {
  /** @type {Set<PageRequest>} */
  #open = new Set();
  #wake = () => {};
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
    page.on("request", (request) => {
      if (request.headers().accept !== "text/event-stream") this.#open.add(request);
    });
    const ended = (/** @type {PageRequest} */ request) => {
      this.#open.delete(request);
      this.#wake();
    };
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
  }

  /** Waits until no call is under way and the page has drawn what came of them. */
  async settled() {
    do {
      while (this.#open.size > 0) {
        await new Promise((wake) => {
          this.#wake = () => wake(undefined);
        });
      }
      await drawn(this.#page);
    } while (this.#open.size > 0);
  }
}

/** Runs in the page: notes every change to it. */
function watch() {
  window.changes = [];
  new MutationObserver((records) => {
    for (const { type, attributeName, target } of records) {
      const element = target instanceof Element ? target : target.parentElement;
      window.changes.push(`${type} ${attributeName ?? ""} ${element?.outerHTML.slice(0, 160)}`);
    }
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
}

/** Runs in the page: where the focus is and how far everything is scrolled. */
function place() {
  const scrolled = [...document.querySelectorAll("*")].map((it) => it.scrollTop).filter((top) => top > 0);
  return { focus: document.activeElement?.outerHTML.slice(0, 160), scrolled };
}
