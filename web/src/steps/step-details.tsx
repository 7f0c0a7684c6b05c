import { ChevronRight } from "lucide-react";
import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { useKeptText } from "../api/checked-draft";
import type { Step } from "../api/execution";
import { lazyPart } from "../lib/lazy-part";
import { questionIn } from "../lib/question";
import { shortDigest } from "../lib/text";
import { CommandExcerpt } from "../review/command-excerpt";
import { EditedBy } from "../review/edited-by";
import { CheckedByMachines, VerdictPill } from "../review/machines";
import { PlannedChanges } from "../review/planned-changes";
import { useScriptDraft } from "../review/script-draft";
import { preparedMessages } from "../stages/prepared-messages";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { Markdown } from "../ui/markdown";
import { Problem } from "../ui/states";
import { Actions } from "./actions";
import { FailureReason } from "./failure-reason";
import { isByOwner, type StepAction } from "./rules";
import { SinceEarlier } from "./since-earlier";
import type { StepCardProps } from "./step-card";
import { StepOutput } from "./step-output";
import { TitledPart } from "./titled-part";
import type { Track } from "./track";
import { useReview } from "./use-review";
import { useEdit } from "./use-step-actions";
import { preparingText } from "./words";

const ReviewPane = lazy(lazyPart(() => import("../review/pane")));

/** The content of an open step: its purpose, its command, its output, and its actions. */
export function StepDetails({ track, planId, step, steps, total, busy, problem, onAct }: StepCardProps) {
  const preparing = step.status === "in_progress" && !step.running;
  const waiting = step.status === "waiting_approval";
  const review = useReview(step.step_number);
  const edit = useEdit(track);
  const name = `${track.name}:${track.projectId}:${planId}:${step.step_number}`;
  const draft = useScriptDraft(name);
  const reason = useKeptText(`reason:${name}:${step.attempt}`);
  const decide = async (action: StepAction, reason?: string) => {
    const done = await onAct(step, action, reason);
    if (done) review.close();
    return done;
  };
  const decisions = { step, steps, busy, problem, typed: reason };
  return (
    <div className="flex flex-col gap-3">
      {step.prompt && <Prompt text={step.prompt} open={step.status === "pending" || preparing} />}
      {problem?.changed && (
        <Problem>
          The command changed after it was shown to you. Read the new one below before you approve it.
        </Problem>
      )}
      {step.command && (
        <TitledPart title="Command to be executed">
          <CommandExcerpt
            key={waiting ? "waiting" : "decided"}
            label={`Command of step ${step.step_number}`}
            text={step.command}
            waiting={waiting}
            onReview={review.open}
          />
          <EditedBy step={step} />
          {waiting && step.earlier && <SinceEarlier track={track} planId={planId} step={step} />}
          {draft.kept && (
            <p className="mt-1 text-note">
              You have unsaved changes to this script. Open it to continue or to discard them.
            </p>
          )}
        </TitledPart>
      )}
      <PlannedChanges step={step} />
      {waiting && <CheckedByMachines step={step} bare className="-my-2" />}
      {preparing && (
        <p role="status" className="animate-breathe text-ink-2 text-note">
          {step.notice ?? preparingText(track)}
        </p>
      )}
      <FailureReason step={step} />
      <StepOutput track={track} step={step} />
      {/* What a person decides next stays in reach, however long the command or its output is. */}
      <div
        className={cx(
          "flex flex-wrap items-center gap-2.5 empty:hidden",
          waiting && "sticky bottom-0 -mb-4 bg-signal-veil pt-2.5 pb-4",
          step.status === "failed" && "-mb-4 sticky bottom-0 bg-surface pt-2.5 pb-4 tight:static",
        )}
      >
        <Actions {...decisions} onAct={(action, reason) => onAct(step, action, reason)} />
        {step.status === "failed" && !isByOwner(step) && <InChat track={track} step={step} />}
        <Facts step={step} />
      </div>
      {review.isOpen && step.command && (
        <Suspense>
          <ReviewPane
            projectId={track.projectId}
            step={step}
            stage={track.name === "execution" ? "Execution" : "Validation"}
            total={total}
            actions={<Actions {...decisions} onAct={decide} />}
            draft={draft}
            onEdit={edit}
            onClose={review.close}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Opens the chat next to the steps: to answer the agent's question, or to ask it for the cause of a failure. */
function InChat({ track, step }: { track: Track; step: Step }) {
  const [, setParams] = useSearchParams();
  const open = () =>
    setParams(
      (params) => {
        params.set("panel", "chat");
        params.set("card", "side");
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  const ask = () => {
    const what = track.name === "execution" ? "step" : "check";
    preparedMessages.put({
      projectId: track.projectId,
      agent: track.agent,
      message: `Why did ${what} ${step.step_number} fail, and how can it be fixed?`,
    });
    open();
  };
  if (questionIn(step.error_message) !== undefined) {
    return (
      <Button kind="signal" onClick={open}>
        Answer in the chat
      </Button>
    );
  }
  return <Button onClick={ask}>Ask why</Button>;
}

/** The agent's task; collapsed if there is a command to read. */
function Prompt({ text, open }: { text: string; open: boolean }) {
  return (
    <details open={open} className="group">
      <summary className="label flex min-h-6 cursor-pointer list-none items-center gap-1 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={12}
          aria-hidden
          className="transition-transform duration-150 group-open:rotate-90"
        />
        Step to be executed by the execution agent
      </summary>
      <div className="mt-1">
        <Markdown text={text} />
      </div>
    </details>
  );
}

/** What is known about the command: while it waits, the verdict of the machines first. */
function Facts({ step }: { step: Step }) {
  const ended = step.status === "completed" || step.status === "failed";
  const facts = [
    step.command_sha256 && `sha256 ${shortDigest(step.command_sha256)}`,
    ended && step.exit_code != null && `exit ${step.exit_code}`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <span className="inline-flex flex-col items-start gap-0.5">
      {step.status === "waiting_approval" && <VerdictPill step={step} />}
      <span title={step.command_sha256 ?? undefined} className="font-mono text-ink-2 text-tiny">
        {facts.join(" · ")}
      </span>
    </span>
  );
}
