import { chromium } from "playwright-core";

/** Debian's own Chromium; another one can be named. */
const CHROMIUM = process.env.GROUNDCREW_CHROMIUM ?? "/usr/bin/chromium";

/** The last one keeps xterm from drawing on a canvas, so that what it shows can be read from the page. */
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

/** @param more Chromium's options beside those above */
export function launch(more: string[] = []) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...more] });
}
