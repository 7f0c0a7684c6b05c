/** A page under axe, light and dark, wide and narrow; and whether anything overflows the window. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { NodeResult } from "axe-core";
import { drawn } from "./drawn.ts";
import { PHONE, WIDE } from "./scene.ts";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Sizes of windows that nothing may overflow, in pixels. */
const WIDTHS = [390, 800, 960, 1100, 1440];
const THEMES = ["light", "dark"] as const;
/** The rules that look at colors. A second theme is checked for these alone, which takes a small part of the time. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Checks the page in both themes and both widths, and for overflow.
 * @param what names the page in a failure
 * @param looks pairs of a theme and a width
 */
export async function inspect(
  page: Page,
  what: string,
  looks: string[] = ["light 1440", "dark 1440", "light 390", "dark 390"],
) {
  await page.evaluate(axe);
  const found = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...(width < 1000 ? PHONE : WIDE), width });
    // The previous width's cards are still there until the page has reacted to the new width.
    await drawn(page);
    for (const pane of await panes(page)) {
      const where = `${what}, ${width}${pane.name}`;
      await pane.show();
      const over = await page.evaluate(sticksOut);
      if (over) found.push(`${where}: ${over}`);
      const themes = THEMES.filter((theme) => looks.includes(`${theme} ${width}`));
      for (const [number, theme] of themes.entries()) {
        await page.emulateMedia({ colorScheme: theme });
        await drawn(page);
        const rules = number === 0 ? RULES : COLOR_RULES;
        for (const violation of await violations(page, rules)) found.push(`${where}, ${theme}: ${violation}`);
      }
    }
  }
  await page.setViewportSize(WIDE);
  assert.deepEqual(found, []);
}

/** The cards to check one at a time: a narrow window shows a stage's cards one at a time. */
async function panes(page: Page) {
  const buttons = page.getByRole("navigation", { name: "Cards" }).getByRole("button");
  const names = await buttons.allInnerTexts();
  if (names.length === 0) return [{ name: "", show: async () => {} }];
  return names.map((name, number) => ({ name: ` (${name})`, show: () => buttons.nth(number).click() }));
}

/** Runs in the page: how far it can be scrolled sideways, and which elements reach there. */
function sticksOut() {
  const root = document.documentElement;
  const over = Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth;
  if (over <= 0) return "";
  const widest = [...document.body.querySelectorAll("*")].filter(
    (it) => it.getBoundingClientRect().right > root.clientWidth + 1,
  );
  return `${over} px too wide: ${widest
    .slice(-3)
    .map((it) => it.outerHTML.slice(0, 120))
    .join(" … ")}`;
}

/** All that axe finds by these rules or tags, however minor. It need not describe what follows the rules. */
async function violations(page: Page, rules: string[]) {
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await window.axe.run({ runOnly, resultTypes: ["violations"] });
    const inWords = ({ html, any, all }: NodeResult) =>
      `${html.slice(0, 160)}: ${any[0]?.message ?? all[0]?.message}`;
    return violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map(inWords) }));
  }, rules);
  return found.map(({ id, impact, where }) => `${id} (${impact}) ${where.slice(0, 3).join(" … ")}`);
}
