/**
 * The scroll positions of the page's parts, by the entry of the browser's history.
 *
 * The browser restores only the scrolling of the whole document; here cards and the page inside the frame scroll. The
 * positions are in memory, and in the tab's storage between two documents.
 */
import { installationId } from "./session";
import { tabStorage } from "./storage";
import { readStored } from "./stored";

const STORED_KEY = "groundcrew:scroll";

/** How many positions are kept; the oldest is dropped first. */
export const MOST_POSITIONS = 200;

export class ScrollPositions {
  readonly #storage: Pick<Storage, "getItem" | "setItem">;
  readonly #tops: Map<string, number>;

  /** Takes over what the previous document stored; `isReturn` says whether this document continues it. */
  constructor(storage: Pick<Storage, "getItem" | "setItem">, isReturn: boolean) {
    this.#storage = storage;
    const stored = readStored(storage, STORED_KEY);
    const known = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    // A newly opened document begins at its top, but the entries before it keep their positions.
    const kept = known.filter(([place]) => isReturn || !place.startsWith(`${FIRST_ENTRY} `));
    this.#tops = new Map(kept.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
  }

  get(place: string): number | undefined {
    return this.#tops.get(place);
  }

  put(place: string, top: number) {
    this.#tops.delete(place);
    this.#tops.set(place, top);
    for (const oldest of this.#tops.keys()) {
      if (this.#tops.size <= MOST_POSITIONS) break;
      this.#tops.delete(oldest);
    }
  }

  store() {
    this.#storage.setItem(STORED_KEY, JSON.stringify(Object.fromEntries(this.#tops)));
  }
}

/** The key of an entry that the router has not created: the one with which each document begins. */
const FIRST_ENTRY = "default";

/** One scrolling part of the page at one entry of the history. */
export const placeOf = (entry: string, pathname: string, name: string) => `${entry} ${pathname} ${name}`;

const isReturn = () => {
  const [opened] = performance.getEntriesByType("navigation");
  return opened instanceof PerformanceNavigationTiming && opened.type !== "navigate";
};

let positions: ScrollPositions | undefined;

/** The positions of this tab. */
export function scrollPositions(): ScrollPositions {
  if (positions) return positions;
  const made = new ScrollPositions(tabStorage, isReturn());
  window.addEventListener("pagehide", () => {
    if (installationId()) made.store();
  });
  positions = made;
  return made;
}
