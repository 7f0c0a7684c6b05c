/**
 * Counts visits to the public pages: that a page was seen, how far it was read, whether the visitor stayed.
 *
 * The counts go to a function of the product, which stores sums by day. A browser that asks not to be tracked gets no
 * visitor id and sends nothing.
 */
import { readings, type VisitEvent } from "./visit";

const ADDRESS = "/api/analytics/events";
const VISITOR_KEY = "groundcrew:visitor";

/** How often the visit is checked, in milliseconds. */
const CHECK_MS = 5_000;

/** Whether this browser asks not to be counted. */
export function objects(browser: { doNotTrack?: string | null; globalPrivacyControl?: boolean }): boolean {
  return browser.doNotTrack === "1" || browser.globalPrivacyControl === true;
}

export function startAnalytics() {
  if (objects(navigator) || !keepsAnything()) return;
  const visit = readings(performance.now());
  let waiting: VisitEvent[] = [{ type: "view" }];

  const flush = () => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    navigator.sendBeacon(ADDRESS, JSON.stringify({ visitor_id: visitor(), page: location.pathname, events }));
  };
  const count = (events: VisitEvent[]) => {
    waiting.push(...events);
  };

  const act = () => visit.act(performance.now());
  for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
    window.addEventListener(type, act, { passive: true });
  }
  window.addEventListener(
    "scroll",
    () => {
      act();
      count(visit.scrolled(scrolledShare()));
    },
    { passive: true },
  );
  // A click on a link inside the site, or on sign-in, is not a bounce.
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a[href^='/'], [data-sign-in]")) visit.goOn();
  });
  setInterval(() => {
    count(visit.check(performance.now(), document.visibilityState === "visible"));
    flush();
  }, CHECK_MS);
  window.addEventListener("pagehide", () => {
    count(visit.leave(performance.now()));
    flush();
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && flush());
  flush();
}

/** How much of the page has been visible, in percent. */
function scrolledShare(): number {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  return scrollHeight === 0 ? 100 : ((scrollTop + clientHeight) / scrollHeight) * 100;
}

/** Whether this browser stores anything for this site; a browser configured not to counts as an objection. */
function keepsAnything(): boolean {
  try {
    return localStorage !== null;
  } catch {
    return false;
  }
}

/** A random id that only means "the same browser". */
function visitor(): string {
  const known = localStorage.getItem(VISITOR_KEY);
  if (known) return known;
  const id = crypto.randomUUID();
  localStorage.setItem(VISITOR_KEY, id);
  return id;
}
