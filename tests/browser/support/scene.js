/**
 * A scene is one file's stack and browser, and the people who walk on.
 *
 * `scene()` is called once at the head of a file; `visitor` and `user` give each test a person with a browser
 * profile of their own. A page that throws, or wants what its security policy forbids, fails the test it belongs to, and a failed test leaves a picture of
 * every page it had open.
 */

import { mkdir } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.js";
import { startStack } from "./stack.js";
import { User } from "./user.js";

/** How long anything on a page may take before the test gives up on it, in milliseconds. */
const PATIENCE_MS = 60_000;
/** How long a whole test may take, in milliseconds. */
const TEST_MS = 170_000;

const FAILURES = fileURLToPath(new URL("../../../target/browser-failures/", import.meta.url));

/** What the console says when a page wants what its own security policy forbids. */
const REFUSED = /Content Security Policy|Permissions policy violation/i;

export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 780 };

export function scene() {
  let stack;
  let browser;
  let people = 0;
  const cast = new Map();

  before(async () => {
    [stack, browser] = await Promise.all([startStack(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** Somebody who is not signed in. */
  async function visitor(t, options = {}) {
    const context = await browser.newContext({
      baseURL: stack.url,
      viewport: WIDE,
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const open = cast.get(t.name);
    open.pages.push(page);
    page.on("pageerror", (error) => open.errors.push(error));
    page.on("console", (message) => {
      if (REFUSED.test(message.text())) open.errors.push(new Error(message.text()));
    });
    return { context, page, url: stack.url };
  }

  /** Somebody who has signed in under a name that nobody else has, and sees an empty project list. */
  async function user(t, options) {
    const { context, page } = await visitor(t, options);
    people += 1;
    const login = `crew-${people}`;
    await page.goto(`/api/github/login?login=${login}`);
    await page
      .getByRole("heading", { name: "No projects yet" })
      .or(page.getByText("No projects yet"))
      .waitFor();
    const installation = await page.evaluate(() => sessionStorage.getItem("github_installation_id"));
    return new User({ context, page, login, installation });
  }

  /** A test; its name is a sentence. */
  function story(name, act) {
    test(name, { timeout: TEST_MS }, async (t) => {
      const open = { pages: [], errors: [] };
      cast.set(t.name, open);
      try {
        await act(t);
        if (open.errors.length > 0) throw new AggregateError(open.errors, `A page threw: ${open.errors[0]}`);
      } catch (error) {
        await picture(name, open.pages);
        t.diagnostic(`The stack's last words:\n${stack.log()}`);
        throw error;
      } finally {
        cast.delete(t.name);
        await Promise.all(open.pages.map((page) => page.context().close()));
      }
    });
  }

  return { visitor, user, story };
}

/** Keeps what was on the screen when a test failed. */
async function picture(name, pages) {
  await mkdir(FAILURES, { recursive: true });
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  for (const [number, page] of pages.entries()) {
    const path = `${FAILURES}${file}-${number + 1}.png`;
    // A page that cannot be drawn must not hide why the test failed.
    await page.screenshot({ path, timeout: 5_000 }).catch((error) => console.error(error.message));
  }
}
