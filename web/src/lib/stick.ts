import { useCallback, useRef } from "react";

/** How close to the end still counts as being at the end, in pixels. */
const NEAR_END_PX = 40;

/**
 * Keeps a growing list at its end as long as the reader is there, also when what is around the list takes room from it.
 * `box` goes on the scrolling element, `content` on the growing one in it; `toEnd` scrolls back to the end.
 */
export function useStickToEnd() {
  const scroller = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const toEnd = useCallback(() => {
    atEnd.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);
  const stay = useCallback(
    (element: HTMLElement) => {
      const resized = new ResizeObserver(() => {
        if (atEnd.current) toEnd();
      });
      resized.observe(element);
      return () => resized.disconnect();
    },
    [toEnd],
  );
  const content = useCallback((element: HTMLElement | null) => (element ? stay(element) : undefined), [stay]);
  const box = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      scroller.current = element;
      let top = element.scrollTop;
      // Only scrolling up leaves the end: a scroll event may refer to a position before the content grew.
      const look = () => {
        const left = element.scrollHeight - element.scrollTop - element.clientHeight;
        if (left < NEAR_END_PX) atEnd.current = true;
        else if (element.scrollTop < top) atEnd.current = false;
        top = element.scrollTop;
      };
      element.addEventListener("scroll", look, { passive: true });
      const leave = stay(element);
      return () => {
        element.removeEventListener("scroll", look);
        leave();
      };
    },
    [stay],
  );
  return { box, content, toEnd };
}
