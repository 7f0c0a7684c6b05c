/** Answers and holds the calls of a page, in place of the stack. */

/** @typedef {Parameters<import("playwright-core").Route["fulfill"]>[0]} Answer */

/**
 * Answers every matching call alike, until `unroute`.
 * @param {Page} page
 * @param {string} pattern
 * @param {Answer} answer
 */
export const answering = (page, pattern, answer) => page.route(pattern, (route) => route.fulfill(answer));

/**
 * Holds every matching call back until the returned function releases them all.
 * @param {Page} page
 * @param {string} pattern
 */
export async function hold(page, pattern) {
  /** @type {() => void} */
  let release = () => undefined;
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.fallback().catch(() => undefined);
  });
  return release;
}
