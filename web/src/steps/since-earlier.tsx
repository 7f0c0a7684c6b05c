import { useQuery } from "@tanstack/react-query";
import { auditQuery } from "../api/audit";
import type { Step } from "../api/execution";
import { userQuery } from "../api/github";
import { SecretText } from "../ui/secret-text";
import { droppedEdit, isSameAgain } from "./rules";
import type { Track } from "./track";

interface SinceEarlierProps {
  track: Track;
  planId: string;
  step: Step;
}

/** The result of the attempt before: whether its script is back, what its owner asked for, and where their edit is. */
export function SinceEarlier({ track, planId, step }: SinceEarlierProps) {
  const same = isSameAgain(step);
  const reason = step.earlier?.reason;
  const editor = useDroppedEditor(track, planId, step);
  if (!same && !reason && !editor) return null;
  return (
    <p className="mt-1 text-note">
      {same && "The agent kept the same script. "}
      {reason && (
        <>
          {same ? "You wrote: “" : "You rejected the last attempt and wrote: “"}
          <SecretText text={reason} />
          ”.{" "}
        </>
      )}
      {same && "To change it yourself, edit it in the review."}
      {editor && `${editor} ended with that attempt: compare it in the review, under “Since last attempt”.`}
    </p>
  );
}

/** Whose edit ended with the attempt before, in words; undefined if there was none. */
function useDroppedEditor(track: Track, planId: string, step: Step): string | undefined {
  const replaced = !step.edited && step.earlier?.command !== step.command;
  const audit = useQuery({ ...auditQuery(track.projectId), enabled: replaced, refetchInterval: false });
  const user = useQuery({ ...userQuery(), enabled: replaced });
  const edit = audit.data && droppedEdit(step, { track: track.name, planId }, audit.data);
  if (!edit) return undefined;
  return edit.by && edit.by.login !== user.data?.login ? `The edit by @${edit.by.login}` : "Your edit";
}
