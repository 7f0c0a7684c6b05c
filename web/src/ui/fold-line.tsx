import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class";

/** The line that opens and closes a `<details>`; its chevron shows which. */
export function FoldLine({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <summary
      className={cx(
        "flex cursor-pointer list-none items-center gap-1.5 rounded-control [&::-webkit-details-marker]:hidden",
        className,
      )}
    >
      <ChevronRight
        size={14}
        aria-hidden
        className="shrink-0 text-ink-2 transition-transform duration-150 [details[open]>summary>&]:rotate-90"
      />
      {children}
    </summary>
  );
}
