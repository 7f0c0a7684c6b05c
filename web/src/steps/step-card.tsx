import { ChevronRight } from "lucide-react";
import { type FocusEvent, useEffect, useId, useRef, useState } from "react";
import type { Step } from "../api/execution";
import { useGlidingRow } from "../lib/glide";
import { questionIn } from "../lib/question";
import { duration } from "../lib/time";
import { cx } from "../ui/class";
import { InlineCode } from "../ui/inline-code";
import { Pill } from "../ui/pill";
import { descriptionOf, statusTone, statusWord } from "../ui/step-status";
import { StepDetails } from "./step-details";
import type { Track } from "./track";
import { useReview } from "./use-review";
import type { ActProblem, BusyAction } from "./use-step-actions";

export interface StepCardProps {
  track: Track;
  planId: string;
  step: Step;
  /** All steps of the plan. */
  steps: readonly Step[];
  /** How many steps there are. */
  total: number;
  busy: BusyAction | undefined;
  problem: ActProblem | undefined;
  /** Returns whether the server carried it out. */
  onAct: (step: Step, action: BusyAction, reason?: string) => Promise<boolean>;
}

/** Steps that run or wait for a person are open unless the user closed them. */
const OPEN_UNASKED = new Set<Step["status"]>(["waiting_approval", "in_progress", "failed"]);

export function StepCard(props: StepCardProps) {
  const { step } = props;
  const [choice, setChoice] = useState<{ status: Step["status"]; open: boolean }>();
  const review = useReview(step.step_number);
  const shown = choice?.status === step.status ? choice.open : OPEN_UNASKED.has(step.status);
  // A review, and the text typed in it, stays open when its step changes.
  const open = shown || review.isOpen;
  const id = useId();
  const waiting = step.status === "waiting_approval";
  useGlidingRow();
  const { header, ...focus } = useKeptFocus();
  return (
    <li
      {...focus}
      data-open-step={waiting || step.status === "in_progress" ? "" : undefined}
      className={cx(
        "relative border-line border-b transition-colors duration-150",
        waiting &&
          "bg-signal-veil before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-signal",
      )}
    >
      <h2 className="font-normal font-sans">
        <button
          ref={header}
          data-step-header={step.step_number}
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setChoice({ status: step.status, open: !open })}
          className="flex min-h-11 w-full items-center gap-3 px-4.5 py-1.5 text-left font-sans focus-visible:-outline-offset-2 max-narrow:gap-2"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={cx(
              "shrink-0 text-ink-2 transition-transform duration-150 ease-out",
              open && "rotate-90",
            )}
          />
          <span className="flex min-w-0 flex-1 items-baseline gap-3 max-narrow:flex-col max-narrow:gap-0">
            <span
              className={cx(
                "shrink-0 text-ink-2 text-note max-narrow:text-small",
                props.total < 100 ? "w-12" : "w-14.5",
              )}
            >
              Step {step.step_number}
            </span>
            <span
              className={cx(
                "min-w-0 max-w-full font-[560]",
                open ? "line-clamp-2" : "truncate max-narrow:line-clamp-2 max-narrow:whitespace-normal",
                step.status === "pending" && "font-[500] text-ink-2",
              )}
            >
              <InlineCode text={descriptionOf(step)} />
            </span>
          </span>
          {step.status === "failed" && step.failure === "rejected" && (
            <span className="shrink-0 text-ink-2 text-note max-narrow:hidden">rejected</span>
          )}
          {step.status === "failed" && questionIn(step.error_message) !== undefined && (
            <span className="shrink-0 text-ink-2 text-note max-narrow:hidden">has a question</span>
          )}
          {step.duration_ms != null && (step.status === "completed" || step.status === "failed") && (
            <span className="shrink-0 text-ink-3 text-note max-narrow:hidden">
              {duration(step.duration_ms)}
            </span>
          )}
          <Pill tone={statusTone(step)} live={step.status === "in_progress"}>
            {statusWord(step.status)}
          </Pill>
        </button>
      </h2>
      {open && (
        <div id={id} className="animate-appear pr-4.5 pb-4 pl-21.5 max-narrow:pl-4.5">
          <StepDetails {...props} />
        </div>
      )}
    </li>
  );
}

/**
 * Keeps the focus with the step when the focused element disappears, as decision buttons do: the step's header gets it.
 */
function useKeptFocus() {
  const header = useRef<HTMLButtonElement>(null);
  const inside = useRef(false);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) header.current?.focus();
  });
  const onFocus = () => {
    inside.current = true;
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // A button that another step's run disables loses the focus, and no other element gets it.
    const taken = relatedTarget === null && target instanceof HTMLButtonElement && target.disabled;
    inside.current = taken;
    if (taken) header.current?.focus();
  };
  return { header, onFocus, onBlur };
}
