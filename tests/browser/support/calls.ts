/** Answers and delays a page's calls in place of the stack. */
import type { Route } from "playwright-core";

export type Answer = Parameters<Route["fulfill"]>[0];

/** Gives every matching call the same answer, until `unroute`. */
export const answering = (page: Page, pattern: string, answer: Answer) =>
  page.route(pattern, (route) => route.fulfill(answer));

/** Gives a page finished documentation with these values. */
export const documented = (page: Page, values: object = {}) =>
  answering(page, "**/api/documentation/current", {
    json: { status: "success", documentation: "# Ready", quickstart: "# Start", key_value_data: values },
  });

/** Delays every matching call until the returned function releases them all. */
export async function hold(page: Page, pattern: string) {
  let release: () => void = (): void => undefined;
  const released = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.fallback().catch(() => undefined);
  });
  return release;
}
