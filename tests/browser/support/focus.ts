/** The keyboard focus. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

/** How long the focus may take to arrive, in milliseconds, and how often it is checked. */
const ARRIVAL_MS = 60_000;
const LOOK_MS = 25;

/** Waits until an element has the focus. Each check finds the element again, because the page may replace it. */
export async function hasFocus(locator: Locator) {
  const until = Date.now() + ARRIVAL_MS;
  while (!(await locator.evaluate((it) => it === document.activeElement))) {
    if (Date.now() > until) {
      const has = await locator.page().evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
      assert.fail(`${locator} never got the focus; it is on ${has}`);
    }
    await setTimeout(LOOK_MS);
  }
}

/** More presses of Tab than any page here needs. */
const MOST_TABS = 60;

/** Presses Tab until an element has the focus; each element on the way must show that it has the focus. */
export async function tabTo(page: Page, locator: Locator) {
  const passed: string[] = [];
  for (let press = 0; press < MOST_TABS; press += 1) {
    await page.keyboard.press("Tab");
    const { name, visible } = await page.evaluate(focusShown);
    assert.ok(visible, `the focus is not visible on ${name}`);
    passed.push(name);
    if (await locator.evaluate((it) => it === document.activeElement)) return;
  }
  assert.fail(`the keyboard does not reach ${locator}; it went to ${passed.join(", ")}`);
}

/** Runs in the page: the focused element, and whether an outline or a ring shows it. */
function focusShown() {
  const it = document.activeElement ?? document.body;
  const name = it.getAttribute("aria-label") ?? (it.textContent.trim() || it.tagName);
  const outlined = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1;
  const box = it.getBoundingClientRect();
  const drawn = box.width > 1 && box.height > 1;
  // The composer's input and the amount inputs leave the ring to the box around them.
  const around = it.parentElement && getComputedStyle(it.parentElement);
  const ring = around !== null && (around.boxShadow !== "none" || outlined(around));
  return { name: name.slice(0, 40), visible: drawn && (outlined(getComputedStyle(it)) || ring) };
}

/**
 * Runs in each page of every story: throws if the focused element is removed or disabled and nothing takes the focus
 * within a second, because the keyboard would start over at the top of the page. A chat's input is marked: it gets the
 * focus back after the reply.
 */
export function watchFocus() {
  const LOOKS = 8;
  let focused: Element | null = null;
  let looks = 0;
  addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  setInterval(() => {
    const disabled = focused?.matches(":disabled:not([data-focus-returns])");
    const taken = focused && (!focused.isConnected || disabled);
    looks = taken && document.activeElement === document.body ? looks + 1 : 0;
    if (looks < LOOKS || !focused) return;
    const lost = focused.outerHTML.slice(0, 200);
    focused = null;
    throw new Error(`${location.pathname} lost the focus with ${lost}`);
  }, 1000 / LOOKS);
}
