import { useId, useState } from "react";
import type { Step } from "../api/execution";
import { Button } from "../ui/button";
import { actionsOf, type StepAction } from "./rules";
import type { BusyAction } from "./use-step-actions";

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

/** Longest reason for a rejection, in characters; the server refuses more. */
const MAX_REASON_CHARS = 1_000;

interface ActionsProps {
  step: Step;
  busy: BusyAction | undefined;
  onAct: (action: StepAction, reason?: string) => void;
}

/** The decisions that a step allows. */
export function Actions({ step, busy, onAct }: ActionsProps) {
  const [asking, setAsking] = useState(false);
  const waiting = step.status === "waiting_approval";
  if (waiting && asking) {
    return (
      <Reason busy={busy} onReject={(reason) => onAct("reject", reason)} onClose={() => setAsking(false)} />
    );
  }
  return (
    <>
      {actionsOf(step.status).map((action) => (
        <Button
          key={action}
          kind={action === "approve" ? "signal" : "plain"}
          disabled={busy !== undefined}
          onClick={() => onAct(action)}
        >
          {busy === action ? BUSY_LABELS[action] : LABELS[action]}
        </Button>
      ))}
      {waiting && (
        <Button kind="quiet" disabled={busy !== undefined} onClick={() => setAsking(true)}>
          Reject with a reason...
        </Button>
      )}
    </>
  );
}

interface ReasonProps {
  busy: BusyAction | undefined;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** What the agent should do differently in its next command. */
function Reason({ busy, onReject, onClose }: ReasonProps) {
  const [reason, setReason] = useState("");
  const id = useId();
  return (
    <form
      className="flex w-full flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== "") onReject(reason.trim());
      }}
    >
      <label htmlFor={id} className="text-note">
        What should the agent do differently?
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by the click that opened it.
        autoFocus
        rows={2}
        maxLength={MAX_REASON_CHARS}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        className="w-full resize-y rounded-control border border-line-strong bg-raised px-3 py-2"
      />
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit" disabled={busy !== undefined || reason.trim() === ""}>
          {busy === "reject" ? BUSY_LABELS.reject : "Reject with this reason"}
        </Button>
        <Button kind="quiet" disabled={busy !== undefined} onClick={onClose}>
          Back
        </Button>
      </div>
    </form>
  );
}
