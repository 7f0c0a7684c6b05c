import type { AuditEntry } from "../api/audit";
import type { Change } from "../api/changes";
import type { Progress } from "../api/execution";
import { executedSteps } from "../audit/executed";

/**
 * How a change can end before it is completed: `abandon` while nothing has run, then `roll_back`, and `end` once that
 * is done. `none` if a step has run and the change has no rollback; undefined until that is known.
 */
export type Ending = "abandon" | "roll_back" | "end" | "none";

export function endingOf(
  change: Change,
  audit: readonly AuditEntry[] | undefined,
  progress: Progress | undefined,
): Ending | undefined {
  const runs = progress?.steps.some(({ running }) => running) ?? false;
  if (!runs && audit === undefined) return undefined;
  // Until its own steps are there, the steps and their rollback are those of the change before.
  if (!runs && executedSteps(audit ?? [], change.begun_at) === 0) return "abandon";
  if (!progress?.rollback) return "none";
  return progress.rollback.run?.status === "completed" ? "end" : "roll_back";
}
