import { type FocusEvent, useRef } from "react";

/**
 * Lets a moving focus reach its target. Between two elements the page has no focus; if React renders at that moment,
 * Radix mistakes the removed nodes for a lost focus and gives it to the dialog itself. Such a focus is passed on, but
 * only within the dialog: Radix would fetch it back from outside, and both would go on forever.
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
      const inside = moving instanceof HTMLElement && event.currentTarget.contains(moving);
      if (event.target === event.currentTarget && inside) moving.focus();
    },
  };
}
