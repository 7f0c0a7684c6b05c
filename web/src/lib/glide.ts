import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";

/** How long a row takes to its new place, in milliseconds. */
const GLIDE_MS = 170;

const Settle = createContext<() => void>(() => undefined);

/** Around the rows of a list whose `settle` it is given. */
export const GlideRows = Settle.Provider;

/**
 * Lets the rows of a list glide to their new places when one of them grows or shrinks, instead of jumping there. For
 * people who want no motion they jump. `settle` has to be called in the very commit that moves them: a frame later the
 * jump has been seen.
 */
export function useGlide() {
  const list = useRef<HTMLElement>(null);
  const places = useRef(new Map<Element, number>());
  const settle = useCallback(() => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const row of list.current?.children ?? []) {
      if (!(row instanceof HTMLElement)) continue;
      const before = places.current.get(row);
      places.current.set(row, row.offsetTop);
      if (before === undefined || before === row.offsetTop || still) continue;
      row.animate([{ transform: `translateY(${before - row.offsetTop}px)` }, { transform: "none" }], {
        duration: GLIDE_MS,
        easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
      });
    }
  }, []);
  return { list, settle };
}

/** For a row: whatever it draws, the others glide. */
export function useGlidingRow() {
  const settle = useContext(Settle);
  useLayoutEffect(settle);
}
