import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { problemText } from "../api/errors";
import { Problem } from "../ui/states";
import { Toggle } from "../ui/toggle";
import { AskAbout } from "./ask-about";
import type { AutonomySetting } from "./use-autonomy";

interface ApprovalBarProps {
  autonomy: AutonomySetting;
  /** Goes next to the first switch. */
  switches?: ReactNode;
  /** What runs without its owner, in a sentence. */
  meaning: ReactNode;
  /** More of the settings that are rarely changed. */
  children: ReactNode;
}

/** How far the steps of a card run without their owner. */
export function ApprovalBar({ autonomy, switches, meaning, children }: ApprovalBarProps) {
  const { level, all, choose, error } = autonomy;
  return (
    <div className="flex shrink-0 flex-wrap gap-x-5 gap-y-2 border-line border-b px-4.5 py-2.25">
      <Toggle
        label="Auto-Approve All Steps"
        on={all}
        onChange={(on) => choose(on ? "run_all" : "ask_for_everything")}
      />
      {switches}
      <Approvals>
        <AskAbout level={level} onChange={choose} />
        {children}
      </Approvals>
      {error && (
        <div className="basis-full">
          <Problem>The approval setting was not changed. {problemText(error)}</Problem>
        </div>
      )}
      <p className="basis-full text-ink-2 text-small empty:hidden">{meaning}</p>
    </div>
  );
}

/** The settings that are rarely changed: closed, they leave their room to the steps. */
function Approvals({ children }: { children: ReactNode }) {
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
