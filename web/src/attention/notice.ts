/** What a list of steps or checks waits for its owner to do. */
import type { Progress, Step } from "../api/execution";
import { allCompleted } from "../steps/rules";

export type Notice =
  | { is: "waiting" | "failed"; step: Step }
  /** Every step is completed. */
  | { is: "done" };

/** What the owner has to do now; undefined while something is running, or continues without them. */
export function noticeOf({ steps, totalSteps }: Progress, approves = false): Notice | undefined {
  const first = (status: Step["status"]) => steps.find((step) => step.status === status);
  if (first("in_progress")) return undefined;
  const waiting = first("waiting_approval");
  if (waiting) return approves ? undefined : { is: "waiting", step: waiting };
  const failed = first("failed");
  if (failed) return { is: "failed", step: failed };
  return allCompleted(steps, totalSteps) ? { is: "done" } : undefined;
}

/** The notice in a few words, for a title and a browser's notification. */
export function noticeText(notice: Notice, what: "step" | "check"): string {
  const name = what === "step" ? "Step" : "Check";
  if (notice.is === "done") return `All ${what}s completed`;
  return `${name} ${notice.step.step_number} ${notice.is === "waiting" ? "is waiting for you" : "failed"}`;
}

/** Distinguishes one notice from the next. */
export const noticeKey = (notice: Notice | undefined): string =>
  notice === undefined
    ? ""
    : notice.is === "done"
      ? "done"
      : `${notice.is} ${notice.step.step_number}.${notice.step.attempt}`;
