import type { ComponentProps } from "react";

interface ScrollProps extends ComponentProps<"section"> {
  label: string;
}

/** What scrolls can be reached and scrolled with the keyboard, in every browser. */
const REACHABLE = { tabIndex: 0 };

/** A named part of the page that scrolls by itself. */
export function Scroll({ label, role = "group", ...rest }: ScrollProps) {
  return <section aria-label={label} role={role} {...REACHABLE} {...rest} />;
}
