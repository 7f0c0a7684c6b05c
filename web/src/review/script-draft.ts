import { typedLines, useKept } from "../api/checked-draft";
import type { Step } from "../api/execution";

/** A script that its owner has edited and not saved. */
export interface Kept {
  /** The attempt and the command that were edited. */
  attempt: number;
  sha256: string | null;
  text: string;
}

export interface ScriptDraft {
  kept: Kept | undefined;
  /** Keeps the text, which was `shown` before the first change. */
  keep: (shown: Step, text: string) => void;
  drop: () => void;
}

function asKept(value: unknown): Kept | undefined {
  const { attempt, sha256, text } = (value ?? {}) as Partial<Kept>;
  if (typeof attempt !== "number" || typeof text !== "string") return undefined;
  return { attempt, sha256: typeof sha256 === "string" ? sha256 : null, text };
}

/** The unsaved edit of a step's script; `step` names the step and its plan. */
export function useScriptDraft(step: string): ScriptDraft {
  const [kept, put] = useKept(`script:${step}`, asKept);
  return {
    kept,
    keep: (shown, text) => {
      const { attempt, command_sha256: sha256 = null } = shown;
      const value = text === shown.command ? undefined : { attempt, sha256, text };
      // The script's own lines are the server's: a secret that they seem to hold must not keep the edit from being
      // stored.
      put(value, typedLines(shown.command ?? "", text));
    },
    drop: () => put(undefined, ""),
  };
}

/** How the step has moved on since its script was edited, in words; undefined if the edit can still be saved. */
export function movedOn(now: Step, edited: { attempt: number; sha256: string | null }): string | undefined {
  if (now.status !== "waiting_approval") return "This step is no longer waiting for approval.";
  if (now.attempt !== edited.attempt) return `You wrote this for attempt ${edited.attempt}.`;
  return now.command_sha256 === edited.sha256 ? undefined : "The script has changed since you edited it.";
}
