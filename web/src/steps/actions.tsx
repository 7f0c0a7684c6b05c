import { useId } from "react";
import type { Step } from "../api/execution";
import { MAX_REASON_CHARS } from "../api/limits";
import { Button } from "../ui/button";
import { useLimit } from "../ui/limit";
import { NotDone } from "./not-done";
import { actionsOf, blockedBy, type StepAction } from "./rules";
import type { ActProblem, BusyAction } from "./use-step-actions";

const LABELS: Record<StepAction, string> = {
  approve: "Approve",
  reject: "Reject",
  "re-execute": "Re-execute",
};
const BUSY_LABELS: Record<StepAction, string> = {
  approve: "Approving...",
  reject: "Rejecting...",
  "re-execute": "Re-executing...",
};

/** A reason that is being typed; undefined if the form is closed. */
export type Typed = [reason: string | undefined, change: (reason: string | undefined) => void];

interface ActionsProps {
  step: Step;
  /** All steps: only one command runs at a time. */
  steps: readonly Step[];
  busy: BusyAction | undefined;
  problem: ActProblem | undefined;
  typed: Typed;
  /** Returns whether the server carried it out. */
  onAct: (action: StepAction, reason?: string) => Promise<boolean>;
}

/** The decisions that a step allows, and why the last one had no effect. */
export function Actions({ step, steps, busy, problem, typed: [reason, setReason], onAct }: ActionsProps) {
  const waiting = step.status === "waiting_approval";
  const reject = async (reason: string) => {
    if (await onAct("reject", reason)) setReason(undefined);
  };
  const allowed = actionsOf(step.status);
  const blocker = allowed.map((action) => blockedBy(steps, step, action)).find(Boolean);
  const idle = busy === undefined;
  return (
    <>
      {problem && (
        <div className="basis-full">
          <NotDone problem={problem} step={step} />
        </div>
      )}
      {waiting && reason !== undefined ? (
        <Reason
          text={reason}
          busy={busy}
          onChange={setReason}
          onReject={(reason) => void reject(reason)}
          onClose={() => setReason(undefined)}
        />
      ) : (
        <>
          {allowed.map((action) => (
            <Button
              key={action}
              kind={action === "approve" ? "signal" : "plain"}
              disabled={blockedBy(steps, step, action) !== undefined}
              pending={!idle}
              onClick={() => void onAct(action)}
            >
              {busy === action ? BUSY_LABELS[action] : LABELS[action]}
            </Button>
          ))}
          {waiting && (
            // On a phone it has a line of its own, which begins where the others do.
            <Button
              kind="quiet"
              data-reason
              className="max-[480px]:-ml-3.5"
              pending={!idle}
              onClick={() => setReason("")}
            >
              Reject with a reason...
            </Button>
          )}
          {blocker && (
            <p className="text-ink-2 text-small">
              Step {blocker.step_number} {blocker.running ? "is running" : "is being prepared"}. You can{" "}
              {waiting ? "approve" : "execute"} this one when it has ended.
            </p>
          )}
        </>
      )}
    </>
  );
}

interface ReasonProps {
  text: string;
  busy: BusyAction | undefined;
  onChange: (reason: string) => void;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** What the agent should do differently in its next command. */
function Reason({ text, busy, onChange, onReject, onClose }: ReasonProps) {
  const id = useId();
  const idle = busy === undefined;
  const limit = useLimit(text.trim(), MAX_REASON_CHARS);
  const unfit = text.trim() === "" || limit.isOver;
  return (
    <form
      className="flex w-full flex-col gap-2 short:flex-row short:items-center short:gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (idle && !unfit) onReject(text.trim());
      }}
    >
      <label htmlFor={id} className="text-note short:max-w-32 short:shrink-0 short:text-small">
        What should the agent do differently?
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by the click that opened it.
        autoFocus
        rows={2}
        {...limit.field}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        className="w-full resize-y rounded-control border border-line-strong bg-raised px-3 py-2 short:py-1"
      />
      {limit.note}
      <div className="flex flex-wrap gap-2.5 short:shrink-0 short:flex-nowrap">
        <Button type="submit" disabled={unfit} pending={!idle}>
          {busy === "reject" ? BUSY_LABELS.reject : "Reject with this reason"}
        </Button>
        <Button kind="quiet" pending={!idle} onClick={onClose}>
          Back
        </Button>
      </div>
    </form>
  );
}
