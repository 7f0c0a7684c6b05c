import { chromium } from "playwright-core";

/**
 * Debian's Chromium without any window, unless the environment names another. Its pages are the same, and stories take
 * a third less processor time than with the whole browser.
 */
const CHROMIUM = process.env.GROUNDCREW_CHROMIUM ?? "/usr/bin/chromium-headless-shell";

/** The last option keeps xterm from drawing on a canvas, so that its text can be read from the page. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-3d-apis",
];

/** @param more further options for Chromium */
export function launch(more: string[] = []) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more] });
}
