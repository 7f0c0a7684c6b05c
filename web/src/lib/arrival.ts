import { useEffect, useRef } from "react";

/**
 * Whether a link within the application led here. Uses the browser's own location, because the page may change a moment
 * before its router has the new address.
 */
const hasMoved = () => (window.history.state as { key?: string } | null)?.key !== undefined;

/**
 * For the title of a page: it takes the focus after a navigation from another page of the application whose focused
 * element is gone, so that the keyboard continues here.
 */
export function useArrival<E extends HTMLElement>() {
  const title = useRef<E>(null);
  const first = useRef(hasMoved());
  useEffect(() => {
    if (first.current && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true });
  }, []);
  return title;
}
