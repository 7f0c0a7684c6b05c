/** The public pages' own script: everything they need, in a few kilobytes. */

import { paths, returnPath } from "../../lib/paths";
import { installationId, startLogin } from "../../lib/session";
import { startAnalytics } from "./analytics";
import { wirePlayer } from "./player";
import { themeShots } from "./shots";

const signedIn = () => installationId() !== null;

/**
 * Leads signed-in visitors to the application, including when the browser shows the landing page from its back-forward
 * cache.
 */
function skipLanding() {
  if (location.pathname !== paths.landing() || !signedIn()) return;
  location.replace(returnPath(new URLSearchParams(location.search).get("return_to")) ?? paths.projects());
}

/** Shows why a page of the application led here. */
function sayWhy() {
  const asked = new URLSearchParams(location.search);
  const why = asked.has("ended") ? "ended" : asked.has("return_to") ? "needed" : undefined;
  const notice = why && document.querySelector<HTMLElement>(`[data-sign-in-notice="${why}"]`);
  if (notice) notice.hidden = false;
}

function wireSignIn() {
  for (const button of document.querySelectorAll("[data-sign-in]")) {
    button.addEventListener("click", () => {
      if (button.hasAttribute("data-or-app") && signedIn()) location.assign(paths.projects());
      else startLogin();
    });
  }
}

/** Buttons that scroll to another part of the page and focus it. */
function wireScroll() {
  for (const button of document.querySelectorAll("[data-scroll-to]")) {
    const target = document.getElementById(button.getAttribute("data-scroll-to") ?? "");
    button.addEventListener("click", () => {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      target?.scrollIntoView({ behavior: still ? "auto" : "smooth" });
      target?.focus({ preventScroll: true });
    });
  }
}

themeShots();
skipLanding();
sayWhy();
window.addEventListener("pageshow", skipLanding);
wireSignIn();
wireScroll();
wirePlayer();
startAnalytics();
