import { useSyncExternalStore } from "react";

/** Whether a media query matches, updated as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** From this width on, main and side card are side by side. */
export const WIDE = "(min-width: 1100px)";

/** A window in which the bottom of a card is always in sight: a lower one scrolls, a narrower one has one card. */
export const ROOMY = "(min-width: 1100px) and (min-height: 600px)";

/** Whether this browser is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener("online", changed);
      window.addEventListener("offline", changed);
      return () => {
        window.removeEventListener("online", changed);
        window.removeEventListener("offline", changed);
      };
    },
    () => navigator.onLine,
  );
}
