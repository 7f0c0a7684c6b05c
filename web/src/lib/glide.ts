import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";

/** How long a row takes to reach its new place, in milliseconds. */
const GLIDE_MS = 170;

const Settle = createContext<() => void>(() => undefined);

/** Wraps the rows of a list and provides their `settle`. */
export const GlideRows = Settle.Provider;

/**
 * Lets the rows of a list glide to their new places when one of them grows or shrinks, instead of jumping there. For
 * people who prefer reduced motion they jump. Call `settle` in the same commit that moves them: a frame later the jump
 * would already be visible.
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

/** For a row: when it changes its size, the others glide. */
export function useGlidingRow() {
  const settle = useContext(Settle);
  useLayoutEffect(settle);
}
