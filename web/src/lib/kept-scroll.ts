import { type RefObject, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { placeOf, scrollPositions } from "./scroll-positions";

/** How long content may take to load before its position is given up, in milliseconds. */
const RESTORE_MS = 10_000;
/** Events by which a reader scrolls or acts on their own. */
const OWN_WILL = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Restores the position that the element had at this entry of the history; Back and a reload lead to such entries. */
export function useKeptScroll<E extends HTMLElement>(name: string): RefObject<E | null> {
  const box = useRef<E>(null);
  const { key, pathname, search } = useLocation();
  const how = useNavigationType();
  const place = placeOf(key, pathname, name);
  const page = `${pathname} ${new URLSearchParams(search).get("stage")}`;
  const shown = useRef({ place, page });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const positions = scrollPositions();
    const before = shown.current;
    shown.current = { place, page };
    if (before.place !== place && how !== "POP") {
      // Another entry of the same page keeps the position; another page begins at its top.
      if (before.page !== page) element.scrollTop = 0;
      positions.put(place, element.scrollTop);
    }
    const look = () => positions.put(place, element.scrollTop);
    const begin = () => element.addEventListener("scroll", look, { passive: true });
    const give = bringTo(element, positions.get(place) ?? element.scrollTop, begin);
    return () => {
      give();
      element.removeEventListener("scroll", look);
    };
  }, [place, page, how]);
  return box;
}

/**
 * Scrolls an element as soon as it has enough content, then calls `onEnd`. Ends early if the reader scrolls, or after a
 * while. Returns a function that cancels it.
 */
function bringTo(element: HTMLElement, top: number, onEnd: () => void): () => void {
  const arrive = () => {
    element.scrollTop = top;
    return element.scrollTop >= Math.floor(top);
  };
  if (arrive()) {
    onEnd();
    return () => undefined;
  }
  const grown = new MutationObserver(() => arrive() && end());
  const stop = () => {
    grown.disconnect();
    clearTimeout(late);
    for (const event of OWN_WILL) element.removeEventListener(event, end);
  };
  const end = () => {
    stop();
    onEnd();
  };
  const late = setTimeout(end, RESTORE_MS);
  for (const event of OWN_WILL) element.addEventListener(event, end, { passive: true });
  grown.observe(element, { childList: true, subtree: true, characterData: true });
  return stop;
}
