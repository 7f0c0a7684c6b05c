/** Polling never moves anything: reading an idle page's data again does not change the page. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.ts";
import { scene } from "../support/scene.ts";
import { TerminalPane } from "../support/terminal.ts";
import { until } from "../support/user.ts";
import { Workspace } from "../support/workspace.ts";

const { user, story } = scene();

/** The interval of the slowest poll of these pages, in milliseconds: the test watches two rounds of it. */
const ROUND_MS = 10_000;
/** The interval of the poll of steps whose changes are announced. */
const ANNOUNCED_MS = 30_000;
/** A little more than the interval of these polls without announcements. */
const JUMP_MS = 6_000;
/** How often the page checks for commands that an agent types, and how long the test watches that, in milliseconds. */
const LOOK_MS = 60_000;
const WATCHED_MS = 300_000;

story("two rounds of polls do not touch an execution that waits", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  const project = await owner.projectAt("execution");
  await until(async () => {
    const { steps } = await owner.call("GET", "/execution/progress", { project });
    return steps[0].status === "waiting_approval";
  });
  await owner.paid();
  await owner.open(project);
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await new TerminalPane(page).connected();
  await page.getByText("Sandbox running").waitFor();
  await calls.settled();
  await workspace.step(1).card.getByRole("group").first().focus();
  await untouched(page, calls, ["/execution/progress", "/costs", "/sandbox/status/"], ANNOUNCED_MS);
});

story("two rounds of polls do not touch a plan that is being read", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  const project = await owner.projectAt("architecture");
  await owner.paid();
  await owner.open(project);
  await page.getByRole("button", { name: "Confirm Architecture & Continue" }).waitFor();
  await page.getByText(/updated/).waitFor();
  await calls.settled();
  const input = page.getByLabel("Message to Cloud architect");
  await input.fill("half a sent");
  await untouched(page, calls, ["/planning/architecture-plan", "/costs"]);
  assert.equal(await input.inputValue(), "half a sent");
});

story("two rounds of polls do not touch requirements that are being gathered", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  await page.clock.install();
  await owner.open(await owner.projectAt("requirements"));
  await page.getByText("No requirements yet").waitFor();
  await calls.settled();
  await untouched(page, calls, ["/planning/requirements", "/costs"]);
});

story("with an open terminal, the steps are polled twice a minute, and a change shows at once", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  const polls = progressPolls(page);
  await page.clock.install();
  const project = await owner.projectAt("execution");
  await owner.paid();
  await owner.open(project);
  const workspace = new Workspace(page);
  await workspace.step(1).is("waiting approval");
  await new TerminalPane(page).connected();
  await calls.settled();
  const before = polls.length;
  // A jump of the clock causes at most one poll, however many were due.
  for (let passed = 0; passed < 3 * ANNOUNCED_MS; passed += JUMP_MS) {
    await page.clock.fastForward(JUMP_MS);
    await calls.settled();
  }
  const made = polls.length - before;
  assert.ok(made >= 2 && made <= 4, `${made} polls in 90 s`);
  // After a poll, the next one is far away, so a change that the page shows before it was announced.
  for (const seen = polls.length; polls.length === seen; await calls.settled()) {
    await page.clock.fastForward(JUMP_MS);
  }
  const polled = Date.now();
  const { id, steps } = await owner.call("GET", "/execution/progress", { project });
  const { step_number, command_sha256, attempt } = steps[0];
  const data = { plan_id: id, step_number, approved: true, command_sha256, attempt };
  await owner.call("POST", "/execution/approve-step", { project, data });
  await workspace.step(1).is("completed");
  assert.ok(Date.now() - polled < ANNOUNCED_MS - JUMP_MS, "the page has polled in the meantime");
});

story("without a connection the steps are polled every few seconds", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  const polls = progressPolls(page);
  await page.clock.install();
  await page.route("**/terminal/ticket", (route) => route.abort());
  const project = await owner.projectAt("execution");
  await owner.paid();
  await owner.open(project);
  await new Workspace(page).step(1).is("waiting approval");
  await calls.settled();
  // Ten jumps, each a little longer than the interval: at most one poll follows each, and none that comes while the page
  // still handles the last answer. At the interval of announced changes there would be two.
  const before = polls.length;
  for (let passed = 0; passed < 2 * ANNOUNCED_MS; passed += JUMP_MS) {
    await page.clock.fastForward(JUMP_MS);
    await calls.settled();
  }
  const made = polls.length - before;
  assert.ok(made >= 5, `${made} polls in 60 s`);
});

story("a page without a working agent checks for typed commands once a minute", async (t) => {
  const owner = await user(t);
  const { page } = owner;
  const calls = new Calls(page);
  const looks: PageRequest[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/terminal/commands")) looks.push(request);
  });
  await page.clock.install();
  const project = await owner.projectAt("execution");
  await owner.paid();
  const first = page.waitForRequest((request) => looks.includes(request));
  await owner.open(project);
  await new TerminalPane(page).connected();
  await first;
  // Nothing waits for more time than it takes here: the test measures the page's own clock.
  for (let passed = 0; passed < WATCHED_MS; passed += ROUND_MS) {
    await page.clock.fastForward(ROUND_MS);
    await calls.settled();
    await ended(looks);
  }
  assert.ok(looks.length >= 2, `${looks.length} looks: the page stopped looking`);
  assert.ok(looks.length <= 1 + WATCHED_MS / LOOK_MS, `${looks.length} looks in ${WATCHED_MS} ms`);
});

/** The page's polls of the execution's steps, as they come. */
function progressPolls(page: Page) {
  const polls: PageRequest[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/execution/progress")) polls.push(request);
  });
  return polls;
}

/** Each check ends at once: as long as a stream is open, a function runs and costs money. */
async function ended(looks: PageRequest[]) {
  for (const look of looks) {
    assert.equal(look.headers().prefer, "wait=0");
    const response = await look.response();
    assert.equal(await response?.finished(), null);
  }
}

/**
 * Lets two rounds pass while every change in the page, its focus and its scrolling is recorded.
 * @param polls the paths of the calls that each round makes
 * @param roundMs how long a round takes
 */
async function untouched(page: Page, calls: Calls, polls: string[], roundMs = ROUND_MS) {
  await page.evaluate(watch);
  const before = await page.evaluate(place);
  for (let round = 0; round < 2; round += 1) {
    const answers = polls.map((path) => page.waitForResponse((response) => response.url().includes(path)));
    await page.clock.fastForward(roundMs);
    for (const answer of await Promise.all(answers)) await answer.finished();
    await calls.settled();
  }
  assert.deepEqual(await page.evaluate(() => window.changes), []);
  assert.deepEqual(await page.evaluate(place), before, "the focus or the scrolling moved");
}

/** The page's open calls, except streams, which end at any time. */
class Calls {
  #open = new Set<PageRequest>();
  #wake = () => {};
  #page;

  constructor(page: Page) {
    this.#page = page;
    page.on("request", (request) => {
      if (request.headers().accept !== "text/event-stream") this.#open.add(request);
    });
    const ended = (request: PageRequest) => {
      this.#open.delete(request);
      this.#wake();
    };
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
  }

  /** Waits until no call is open and the page has drawn the answers. */
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

/** Runs in the page: records every change to it. */
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

/** Runs in the page: the focused element and every scroll position. */
function place() {
  const scrolled = [...document.querySelectorAll("*")].map((it) => it.scrollTop).filter((top) => top > 0);
  return { focus: document.activeElement?.outerHTML.slice(0, 160), scrolled };
}
