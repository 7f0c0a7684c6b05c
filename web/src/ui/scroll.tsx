import type { ComponentProps } from "react";
import { cx } from "./class";

interface ScrollProps extends ComponentProps<"section"> {
  label: string;
}

/** Makes scrollable parts focusable, so that the keyboard can scroll them in every browser. */
const REACHABLE = { tabIndex: 0 };

/**
 * A named part of the page with its own scroll bar. It is positioned, so that content only for screen readers scrolls
 * along: positioned relative to the page instead, it would make the whole page as long as the content in here.
 */
export function Scroll({ label, role = "group", className, ...rest }: ScrollProps) {
  return (
    <section aria-label={label} role={role} className={cx("relative", className)} {...REACHABLE} {...rest} />
  );
}
