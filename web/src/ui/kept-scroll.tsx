import type { ComponentProps } from "react";
import { useKeptScroll } from "../lib/kept-scroll";
import { Scroll } from "./scroll";

/** A part of a page whose scroll position Back and a reload restore. */
export function KeptScroll(props: Omit<ComponentProps<typeof Scroll>, "ref">) {
  const box = useKeptScroll<HTMLElement>(props.label);
  return <Scroll ref={box} {...props} />;
}
