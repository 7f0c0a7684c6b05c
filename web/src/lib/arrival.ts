import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** The key of the address that a document was loaded with. */
const LOADED = "default";

/**
 * For the title of a page: it takes the focus when somebody comes from another page of the application whose focus
 * went with it, so that the keyboard goes on from here.
 */
export function useArrival<E extends HTMLElement>() {
  const title = useRef<E>(null);
  const arrived = useLocation().key !== LOADED;
  const first = useRef(arrived);
  useEffect(() => {
    if (first.current && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true });
  }, []);
  return title;
}
