import type { ReactNode } from "react";
import type { Step } from "../api/execution";
import { shortDigest } from "../lib/text";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Markdown } from "../ui/markdown";
import { Scroll } from "../ui/scroll";
import { Problem } from "../ui/states";
import { actionsOf, type StepAction } from "./rules";
import type { StepCardProps } from "./step-card";
import { StepOutput } from "./step-output";

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

/** What an open step shows: what it is for, its command, its output, and what can be done with it. */
export function StepDetails({ track, step, busy, commandChanged, onAct }: StepCardProps) {
  const preparing = step.status === "in_progress" && !step.running;
  return (
    <div className="flex flex-col gap-3">
      {step.prompt && (
        <Part title="Step to be executed by the execution agent">
          <Markdown text={step.prompt} />
        </Part>
      )}
      {commandChanged && (
        <Problem>
          The command changed after it was shown to you. Read the new one below before you approve it.
        </Problem>
      )}
      {step.command && (
        <Part title="Command to be executed">
          <Code
            label={`Command of step ${step.step_number}`}
            text={step.command}
            short={step.status !== "waiting_approval"}
          />
        </Part>
      )}
      {preparing && (
        <p role="status" className="animate-breathe text-ink-2 text-note">
          The execution agent is writing the command...
        </p>
      )}
      <StepOutput track={track} step={step} />
      {step.error_message && step.status === "failed" && (
        <Part title="Error">
          <p className="whitespace-pre-wrap break-words font-mono text-bad text-small">
            {step.error_message}
          </p>
        </Part>
      )}
      {/* What waits for the user stays in reach, however long the command is. */}
      <div
        className={cx(
          "flex flex-wrap items-center gap-2.5 empty:hidden",
          step.status === "waiting_approval" && "sticky bottom-0 -mb-4 bg-signal-veil pt-2.5 pb-4",
        )}
      >
        {actionsOf(step.status).map((action) => (
          <Button
            key={action}
            kind={action === "approve" ? "signal" : "plain"}
            disabled={busy !== undefined}
            onClick={() => onAct(step, action)}
          >
            {busy === action ? BUSY_LABELS[action] : LABELS[action]}
          </Button>
        ))}
        {step.status === "in_progress" && step.running && (
          <Button kind="danger" disabled={busy !== undefined} onClick={() => onAct(step, "cancel")}>
            {busy === "cancel" ? "Cancelling..." : "Cancel this run"}
          </Button>
        )}
        <Facts step={step} />
      </div>
    </div>
  );
}

function Facts({ step }: { step: Step }) {
  const ended = step.status === "completed" || step.status === "failed";
  const facts = [
    step.command_sha256 && `sha256 ${shortDigest(step.command_sha256)}`,
    ended && step.exit_code != null && `exit ${step.exit_code}`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <span title={step.command_sha256 ?? undefined} className="font-mono text-ink-2 text-tiny">
      {facts.join(" · ")}
    </span>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="label mb-1">{title}</p>
      {children}
    </div>
  );
}

interface CodeProps {
  label: string;
  text: string;
  /** It has been read before: what comes below it matters more. */
  short?: boolean;
}

export function Code({ label, text, short }: CodeProps) {
  return (
    <Scroll
      label={label}
      className={cx(
        "overflow-auto rounded-control border border-line-strong/70 bg-sunken px-3 py-2.5",
        short ? "max-h-30" : "max-h-72",
      )}
    >
      <pre className="font-mono text-small leading-[1.55]">{text}</pre>
    </Scroll>
  );
}
