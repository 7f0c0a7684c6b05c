import type { ReactNode } from "react";
import { KeptScroll } from "../ui/kept-scroll";
import { Markdown } from "../ui/markdown";

/** A document that scrolls inside its card. */
export function Document({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  return (
    <KeptScroll
      label={label}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6.5 py-4 focus-visible:-outline-offset-2"
    >
      {children}
      <Markdown text={text} />
    </KeptScroll>
  );
}
