/** Whose turn it is in a list of steps. */
import type { Progress, Step } from "../api/execution";
import { allCompleted } from "../steps/rules";

export type Turn =
  | { is: "waiting" | "failed"; step: Step }
  /** Every step is completed. */
  | { is: "done" };

/** What the owner has to do now; undefined while something is running, or continues without them. */
export function turnOf({ steps, totalSteps }: Progress, approves = false): Turn | undefined {
  const first = (status: Step["status"]) => steps.find((step) => step.status === status);
  if (first("in_progress")) return undefined;
  const waiting = first("waiting_approval");
  if (waiting) return approves ? undefined : { is: "waiting", step: waiting };
  const failed = first("failed");
  if (failed) return { is: "failed", step: failed };
  return allCompleted(steps, totalSteps) ? { is: "done" } : undefined;
}

/** The turn in a few words, for a title and a notification. */
export function turnText(turn: Turn, what: "step" | "check"): string {
  const name = what === "step" ? "Step" : "Check";
  if (turn.is === "done") return `All ${what}s completed`;
  return `${name} ${turn.step.step_number} ${turn.is === "waiting" ? "is waiting for you" : "failed"}`;
}

/** Distinguishes one turn from the next. */
export const turnKey = (turn: Turn | undefined): string =>
  turn === undefined
    ? ""
    : turn.is === "done"
      ? "done"
      : `${turn.is} ${turn.step.step_number}.${turn.step.attempt}`;
