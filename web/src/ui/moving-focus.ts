import { type FocusEvent, useRef } from "react";

/**
 * Lets a moving focus reach its target. Between two elements the page has no focus; if React renders at that moment,
 * Radix mistakes the removed nodes for a lost focus and gives it to the dialog itself. Such a focus is passed on.
 */
export function useMovingFocus() {
  const next = useRef<EventTarget>(null);
  return {
    onBlur: (event: FocusEvent) => {
      next.current = event.relatedTarget;
    },
    onFocus: (event: FocusEvent) => {
      const moving = next.current;
      next.current = null;
      if (event.target === event.currentTarget && moving instanceof HTMLElement) moving.focus();
    },
  };
}
