import type { Progress, Step } from "../api/execution";
import { useNow } from "../lib/now";
import { elapsed } from "../lib/time";
import { Button } from "../ui/button";
import { NotDone } from "./not-done";
import { underWay } from "./rules";
import { problemOf, type StepActions } from "./use-step-actions";

/** How often the elapsed time is updated, in milliseconds. */
const TICK_MS = 1_000;

/** Every step that is under way, its elapsed time, and a button to end it; shown as long as any is. */
export function RunningBar({ progress, actions }: { progress: Progress; actions: StepActions }) {
  const steps = underWay(progress.steps);
  if (steps.length === 0) return null;
  return (
    <section aria-label="What is running" className="shrink-0 border-line border-t bg-run-wash px-4.5 py-1.5">
      {steps.map((step) => (
        <Running key={step.step_number} planId={progress.id} step={step} actions={actions} />
      ))}
    </section>
  );
}

function Running({ planId, step, actions }: { planId: string; step: Step; actions: StepActions }) {
  const busy = actions.busy[step.step_number];
  const problem = problemOf(actions, step);
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
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
          onClick={() => void actions.act(planId, step, "cancel")}
        >
          {busy === "cancel" ? "Cancelling..." : `Cancel step ${step.step_number}`}
        </Button>
      )}
      {problem?.action === "cancel" && (
        <div className="basis-full">
          <NotDone problem={problem} step={step} />
        </div>
      )}
    </div>
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
