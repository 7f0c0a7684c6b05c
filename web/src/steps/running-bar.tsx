import type { Progress, Step } from "../api/execution";
import { useNow } from "../lib/now";
import { elapsed } from "../lib/time";
import { Button } from "../ui/button";
import { currentStep } from "./rules";
import type { StepActions } from "./use-step-actions";

/** How often the elapsed time is updated, in milliseconds. */
const TICK_MS = 1_000;

/** The running step, its elapsed time, and a button to end it; shown as long as a step runs. */
export function RunningBar({ progress, actions }: { progress: Progress; actions: StepActions }) {
  const step = currentStep(progress.steps);
  if (!step) return null;
  const busy = actions.busy[step.step_number];
  return (
    <section
      aria-label="What is running"
      className="flex min-h-12 shrink-0 items-center justify-between gap-3 border-line border-t bg-run-wash px-4.5 py-1.5"
    >
      <p className="flex min-w-0 items-baseline gap-2 text-note text-run">
        <span
          aria-hidden
          className="size-1.75 shrink-0 animate-breathe self-center rounded-full bg-current"
        />
        <span className="truncate font-[560]">
          Step {step.step_number} {step.running ? "is running" : "is being prepared"}
        </span>
        <Elapsed key={`${step.step_number}:${step.attempt}:${step.running}`} step={step} />
      </p>
      {step.running && (
        <Button
          size="small"
          kind="danger"
          disabled={busy !== undefined}
          onClick={() => void actions.act(progress.id, step, "cancel")}
        >
          {busy === "cancel" ? "Cancelling..." : `Cancel step ${step.step_number}`}
        </Button>
      )}
    </section>
  );
}

function Elapsed({ step }: { step: Step }) {
  const now = useNow(TICK_MS);
  return (
    <time role="timer" className="shrink-0 tabular-nums">
      {elapsed(now - new Date(step.since).getTime())}
    </time>
  );
}
