import { useQueryClient } from "@tanstack/react-query";
import { type FocusEvent, useEffect, useRef } from "react";
import { problemText } from "../api/errors";
import type { Progress, Step } from "../api/execution";
import { cancelStep, progressKey } from "../api/execution";
import { useNow } from "../lib/now";
import { elapsed } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { useProjectRoute } from "../project/route";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { NotDone } from "./not-done";
import { underWay } from "./rules";
import { problemOf, type StepActions } from "./use-step-actions";

/** How often the elapsed time is updated, in milliseconds. */
const TICK_MS = 1_000;

/** Everything that is under way, its elapsed time, and a button to end it; shown as long as anything is. */
export function RunningBar({ progress, actions }: { progress: Progress; actions: StepActions }) {
  const steps = underWay(progress.steps);
  const back = progress.rollback?.run?.status === "in_progress" ? progress.rollback.run : undefined;
  const focus = useFocusAfter(steps[0]);
  if (steps.length === 0 && !back) return null;
  return (
    <section
      {...focus}
      aria-label="What is running"
      className="shrink-0 border-line border-t bg-run-wash px-4.5 py-1.5 print:hidden"
    >
      {steps.map((step) => (
        <Running key={step.step_number} planId={progress.id} step={step} actions={actions} />
      ))}
      {back && <RollingBack planId={progress.id} run={back} />}
    </section>
  );
}

/** When the bar goes with the focus in it, the step that ran gets the focus; on other pages, their content does. */
function useFocusAfter(step: Step | undefined) {
  const inside = useRef(false);
  const last = useRef(step?.step_number);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) {
      const header = document.querySelector<HTMLElement>(`[data-step-header="${last.current}"]`);
      (header?.checkVisibility() ? header : document.getElementById("content"))?.focus();
      inside.current = false;
    }
    if (step) last.current = step.step_number;
  });
  return {
    onFocus: () => {
      inside.current = true;
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) inside.current = false;
    },
  };
}

function Running({ planId, step, actions }: { planId: string; step: Step; actions: StepActions }) {
  const busy = actions.busy[step.step_number];
  const problem = problemOf(actions, step);
  const canceling = busy === "cancel" || step.cancelling === true;
  return (
    <Line
      step={step}
      doing={`Step ${step.step_number} ${step.running ? "is running" : "is being prepared"}`}
      cancel={canceling ? "Canceling..." : `Cancel step ${step.step_number}`}
      pending={busy !== undefined || canceling}
      onCancel={() => void actions.act(planId, step, "cancel")}
    >
      {problem?.action === "cancel" && <NotDone problem={problem} step={step} />}
    </Line>
  );
}

/** The run of a change's rollback. */
function RollingBack({ planId, run }: { planId: string; run: Step }) {
  const { projectId } = useProjectRoute();
  const queries = useQueryClient();
  const cancel = useOnce({
    mutationFn: () =>
      cancelStep({ plan_id: planId, step_number: run.step_number, attempt: run.attempt, rollback: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: progressKey(projectId) }),
  });
  const canceling = cancel.isPending || run.cancelling === true;
  return (
    <Line
      step={run}
      doing="The rollback is running"
      cancel={canceling ? "Canceling..." : "Cancel the rollback"}
      pending={canceling}
      onCancel={() => cancel.mutate()}
    >
      {cancel.isError && <Problem>The rollback was not canceled. {problemText(cancel.error)}</Problem>}
    </Line>
  );
}

interface LineProps {
  step: Step;
  doing: string;
  /** The label of the button that ends it. */
  cancel: string;
  pending: boolean;
  onCancel: () => void;
  /** Why it was not canceled. */
  children: React.ReactNode;
}

function Line({ step, doing, cancel, pending, onCancel, children }: LineProps) {
  return (
    <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <p className="flex min-w-0 items-baseline gap-2 text-note text-run">
        <span
          aria-hidden
          className="size-1.75 shrink-0 animate-breathe self-center rounded-full bg-current"
        />
        <span className="truncate font-[560]">{doing}</span>
        <Elapsed key={`${step.step_number}:${step.attempt}:${step.running}`} step={step} />
      </p>
      <Button size="small" kind="danger" pending={pending} onClick={onCancel}>
        {cancel}
      </Button>
      {children && <div className="basis-full">{children}</div>}
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
