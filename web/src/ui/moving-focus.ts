import { type FocusEvent, useRef } from "react";

/**
 * Lets the focus arrive where it moves to. Between two elements the page has no focus; when React draws something at that
 * moment, Radix takes the removed nodes for a lost focus and gives it to the dialog itself. Such a focus is passed on.
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
