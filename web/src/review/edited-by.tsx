import { useQuery } from "@tanstack/react-query";
import type { Step } from "../api/execution";
import { userQuery } from "../api/github";
import { shortDigest } from "../lib/text";
import { dayAndTime } from "../lib/time";

/** The person who edited a command, in words: "you" for the reader. */
export function useEditor(step: Step): string | undefined {
  const user = useQuery({ ...userQuery(), enabled: step.edited != null });
  if (!step.edited) return undefined;
  return user.data?.login === step.edited.by.login ? "you" : `@${step.edited.by.login}`;
}

/** Says that a command is not the agent's own: who edited it, when, and both digests. */
export function EditedBy({ step, className }: { step: Step; className?: string }) {
  const who = useEditor(step);
  if (!step.edited || !who) return null;
  const { at, sha256_before } = step.edited;
  return (
    <p className={className ?? "mt-1 text-note"}>
      Edited by {who} · <time dateTime={at}>{dayAndTime(at)}</time>
      <span className="ml-2 font-mono text-ink-2 text-tiny" title={sha256_before}>
        was sha256 {shortDigest(sha256_before)}
      </span>
    </p>
  );
}
