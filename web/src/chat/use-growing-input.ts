import { type RefObject, useLayoutEffect } from "react";

/** How tall the input grows before it scrolls, in pixels, and as a part of the window's height. */
const MAX_INPUT_PX = 220;
const MAX_INPUT_SHARE = 0.25;

/** Lets an input of several lines grow with its text. */
export function useGrowingInput(input: RefObject<HTMLElement | null>, text: string, multiline: boolean) {
  useLayoutEffect(() => {
    const element = input.current;
    if (!multiline || !element) return;
    const grow = () => {
      const most = Math.min(MAX_INPUT_PX, MAX_INPUT_SHARE * window.innerHeight);
      const box = element.parentElement;
      // The box keeps its height while the text is measured: the conversation above would lose its place to it.
      if (box) box.style.minHeight = `${box.offsetHeight}px`;
      element.style.height = "auto";
      element.style.height = text === "" ? "" : `${Math.min(element.scrollHeight, most)}px`;
      if (box) box.style.minHeight = "";
    };
    grow();
    // The same text needs more lines if the divider or a rotated phone leaves less room.
    let width = element.clientWidth;
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      grow();
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [input, multiline, text]);
}
