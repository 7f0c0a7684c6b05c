import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { type Progress, progressKey, progressQuery } from "../api/execution";
import { NotDone } from "../steps/not-done";
import { asReason } from "../steps/rules";
import { executionTrack } from "../steps/track";
import { problemOf, useStepActions } from "../steps/use-step-actions";
import { Button } from "../ui/button";
import { SecretText } from "../ui/secret-text";
import { asksForChange } from "./asks-for-change";

interface PrepareAgainProps {
  projectId: number;
  /** The owner's last message that reached the agent. */
  said: string;
}

/** Rejects the waiting step with what its owner asked for in the chat as the reason, and has it prepared again. */
export function PrepareAgain({ projectId, said }: PrepareAgainProps) {
  const progress = useQuery(progressQuery(projectId));
  const queries = useQueryClient();
  const track = useMemo(() => executionTrack(projectId), [projectId]);
  const actions = useStepActions(track);
  const { act } = actions;
  const quote = useId();
  const [done, setDone] = useState<string>();
  const [busy, setBusy] = useState(false);
  const steps = progress.data?.steps ?? [];
  // A step that was rejected but could not be started again gets the offer once more.
  const step =
    steps.find(({ status }) => status === "waiting_approval") ?? steps.find((one) => problemOf(actions, one));
  const plan = progress.data?.id;
  if (!step || !plan || done === said || !asksForChange(said)) return null;
  const problem = problemOf(actions, step);
  const waits = step.status === "waiting_approval";
  const again = async () => {
    setBusy(true);
    if (!waits || (await act(plan, step, "reject", asReason(said)))) {
      const now = queries.getQueryData<Progress>(progressKey(projectId));
      const failed = now?.steps.find(({ step_number }) => step_number === step.step_number);
      if (failed && (await act(plan, failed, "re-execute"))) setDone(said);
    }
    setBusy(false);
  };
  return (
    <div className="flex shrink-0 flex-wrap gap-2.5 px-3 pb-2.5">
      {problem && (
        <div className="basis-full">
          <NotDone problem={problem} step={step} />
        </div>
      )}
      <p id={quote} className="line-clamp-2 basis-full break-words text-ink-2 text-small">
        “<SecretText text={said} />”
      </p>
      <Button size="small" pending={busy} aria-describedby={quote} onClick={() => void again()}>
        {busy
          ? "Asking..."
          : waits
            ? `Reject step ${step.step_number} and prepare it again with this message`
            : `Prepare step ${step.step_number} again with this message`}
      </Button>
    </div>
  );
}
