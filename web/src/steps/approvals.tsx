import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

/** The settings that are rarely changed: closed, they leave their room to the steps. */
export function Approvals({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="ml-auto inline-flex items-center gap-1 rounded-control py-0.5 text-ink-2 text-note hover:text-ink max-narrow:ml-0"
      >
        Approvals
        <ChevronRight
          size={12}
          aria-hidden
          className={`transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
      </button>
      {open && (
        <div id={id} className="flex basis-full animate-appear flex-wrap items-center gap-x-5 gap-y-2">
          {children}
        </div>
      )}
    </>
  );
}
