/**
 * A scene is one file's stack and browser, with the people in it.
 *
 * Call `scene()` once at the top of a file; `visitor` and `user` give each test a person with a separate browser
 * profile. A page that throws, or requests something that its security policy forbids, fails its test, and a failed
 * test saves a picture of every open page. Chromium itself can crash during a test, and it aborts every request when an
 * interface of the machine comes or goes, as with a container that starts elsewhere: the test then starts over, once, on
 * a new stack. A page that crashes the browser each time still fails.
 */

import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.ts";
import { watchFocus } from "./focus.ts";
import type { Stack } from "./stack.ts";
import { startStack } from "./stack.ts";
import { installationOf, User } from "./user.ts";

/** How long anything on a page may take before the test fails, in milliseconds. */
const PATIENCE_MS = 60_000;
/** How long a whole test may take, in milliseconds. */
const TEST_MS = 300_000;

const FAILURES = fileURLToPath(new URL("../../../target/browser-failures/", import.meta.url));

/** The console message when a page requests something that its own security policy forbids. */
const REFUSED = /Content Security Policy|Permissions policy violation/i;

/** What Chromium says about each request that it aborts because the machine's network changed. */
const NETWORK_CHANGED = "ERR_NETWORK_CHANGED";

export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 780 };

/** What a running test has open, the errors on it, and what happened that no page can help. */
export type Open = { pages: Page[]; errors: Error[]; accident?: string };

export type Scene = ReturnType<typeof scene>;

const CRASHED = "Chromium crashed.";

/** A test failed after something that no page can help. */
class Accident extends Error {
  /**
   * @param message what happened
   * @param cause the error that the test got
   */
  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

export function scene(pace?: Parameters<typeof startStack>[1]) {
  let stack: Stack;
  let browser: Browser;
  let people = 0;
  const cast = new Map<string, Open>();

  async function arrive() {
    [stack, browser] = await Promise.all([startStack({}, pace), launch()]);
  }

  async function leave() {
    await browser?.close();
    await stack?.stop();
  }

  before(arrive);
  after(leave);

  /** A person who is not signed in. */
  async function visitor(t: TestContext, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      baseURL: stack.url,
      viewport: WIDE,
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const open = cast.get(t.name);
    if (!open) throw new Error("only a story can have visitors");
    context.on("page", (opened) => {
      opened.on("crash", () => {
        open.accident = CRASHED;
      });
    });
    context.on("requestfailed", (request) => {
      if (request.failure()?.errorText.includes(NETWORK_CHANGED)) {
        open.accident ??= `The machine's network changed during ${request.url()}.`;
      }
    });
    await context.addInitScript(watchFocus);
    const page = await context.newPage();
    open.pages.push(page);
    page.on("pageerror", (error) => open.errors.push(error));
    page.on("console", (message) => {
      if (REFUSED.test(message.text())) open.errors.push(new Error(message.text()));
    });
    return { context, page, url: stack.url };
  }

  /** A person who has signed in under a unique name, or the given one, and sees an empty project list. */
  async function user(t: TestContext, options?: BrowserContextOptions, name?: string) {
    const { context, page } = await visitor(t, options);
    people += 1;
    const login = name ?? `crew-${people}`;
    await page.goto(`/api/github/login?login=${login}`);
    await page
      .getByRole("heading", { name: "No projects yet" })
      .or(page.getByText("No projects yet"))
      .waitFor();
    const installation = await installationOf(page);
    return new User({ context, page, login, installation });
  }

  /**
   * Defines a test.
   * @param name a sentence
   */
  function story(name: string, act: (t: TestContext) => Promise<void>) {
    test(name, { timeout: TEST_MS }, async (t) => {
      try {
        await perform(t, act);
      } catch (error) {
        if (!(error instanceof Accident)) throw error;
        t.diagnostic(`${error.message} The story starts over.`);
        await leave();
        await arrive();
        await perform(t, act);
      }
    });
  }

  /** Runs a story once. */
  async function perform(t: TestContext, act: (t: TestContext) => Promise<void>) {
    const open: Open = { pages: [], errors: [] };
    cast.set(t.name, open);
    try {
      await act(t);
      if (open.errors.length > 0) throw new AggregateError(open.errors, `A page threw: ${open.errors[0]}`);
    } catch (error) {
      await Promise.all(open.pages.map(answers));
      if (!browser.isConnected()) open.accident ??= CRASHED;
      if (open.accident) throw new Accident(open.accident, error);
      await picture(t.name, open.pages);
      t.diagnostic(`The stack's last output:\n${stack.log()}`);
      throw error;
    } finally {
      cast.delete(t.name);
      // The contexts of a crashed browser are gone with it.
      await Promise.allSettled(open.pages.map((page) => page.context().close()));
    }
  }

  return { visitor, user, story };
}

/** How long a page may take to answer, or the report of its crash to arrive, in milliseconds. */
const ANSWER_MS = 2_000;

/** Waits until a page answers. A call fails before the page is known to have crashed; after this it is known. */
async function answers(page: Page) {
  const crashed = page.waitForEvent("crash", { timeout: ANSWER_MS }).catch(() => undefined);
  await Promise.race([crashed, page.evaluate("1").catch(() => crashed)]);
}

/**
 * Saves a picture of the screen of a failed test.
 * @param name the test's name
 */
async function picture(name: string, pages: Page[]) {
  await mkdir(FAILURES, { recursive: true });
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  for (const [number, page] of pages.entries()) {
    const path = `${FAILURES}${file}-${number + 1}.png`;
    // A page that cannot be drawn must not hide why the test failed.
    await page.screenshot({ path, timeout: 5_000 }).catch((error) => console.error(error.message));
  }
}
