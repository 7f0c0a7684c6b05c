import type { ComponentProps } from "react";
import { cx } from "./class";

interface ScrollProps extends ComponentProps<"section"> {
  label: string;
}

/** What scrolls can be reached and scrolled with the keyboard, in every browser. */
const REACHABLE = { tabIndex: 0 };

/**
 * A named part of the page that scrolls by itself. It is positioned, so that what is there for screen readers alone
 * scrolls along: placed on the page instead, it would make the whole page as long as what is in here.
 */
export function Scroll({ label, role = "group", className, ...rest }: ScrollProps) {
  return (
    <section aria-label={label} role={role} className={cx("relative", className)} {...REACHABLE} {...rest} />
  );
}
