/** The events of one visit to a page; the clock is a parameter, for tests. */

export interface VisitEvent {
  type: "view" | "scroll" | "inactive" | "engaged" | "bounce";
  /** Percent for `scroll`, seconds for the others. */
  value?: number;
}

const MILESTONES = [25, 50, 75, 100];
/** After this long without input the visitor counts as inactive, in milliseconds. */
const INACTIVE_MS = 30_000;
/** How often a present visitor is counted, in milliseconds. */
const ENGAGED_MS = 30_000;
/** A visit shorter than this is a bounce, in milliseconds. */
const BOUNCE_MS = 10_000;

/** Rounding may cut a pixel from the end of a page; the last milestone still counts. */
const ROUNDING = 0.5;

export function readings(start: number) {
  const reached = new Set<number>();
  let lastAct = start;
  let lastPing = start;
  let inactive = false;
  let goesOn = false;

  return {
    /** The visitor moved, typed or scrolled. */
    act(now: number) {
      lastAct = now;
      inactive = false;
    },
    /** The visitor leaves for another page of the site. */
    goOn() {
      goesOn = true;
    },
    scrolled(percent: number): VisitEvent[] {
      const fresh = MILESTONES.filter((mark) => percent + ROUNDING >= mark && !reached.has(mark));
      for (const mark of fresh) reached.add(mark);
      return fresh.map((value) => ({ type: "scroll", value }));
    },
    /** Must be called every few seconds. */
    check(now: number, visible: boolean): VisitEvent[] {
      const events: VisitEvent[] = [];
      if (!inactive && now - lastAct >= INACTIVE_MS) {
        inactive = true;
        events.push({ type: "inactive", value: seconds(now - lastAct) });
      }
      if (now - lastPing >= ENGAGED_MS) {
        lastPing = now;
        if (visible && !inactive) events.push({ type: "engaged", value: seconds(ENGAGED_MS) });
      }
      return events;
    },
    leave(now: number): VisitEvent[] {
      if (goesOn || now - start >= BOUNCE_MS) return [];
      goesOn = true;
      return [{ type: "bounce", value: seconds(now - start) }];
    },
  };
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 1_000);
