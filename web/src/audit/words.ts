/** How an audit entry reads. */
import type { AuditEntry } from "../api/audit";
import type { Tone } from "../ui/pill";

const PLACES: Record<AuditEntry["track"], string> = {
  execution: "Step",
  validation: "Check",
  helper: "Helper command",
};

export const placeOf = (entry: AuditEntry) => `${PLACES[entry.track]} ${entry.step_number}`;

const VERDICTS: Record<NonNullable<AuditEntry["verdict"]>, string> = {
  approved: "Approved",
  rejected: "Rejected",
  cancelled: "Cancelled",
};

/** Who decided, in words; a command that only reads was not asked about. */
export const decisionOf = ({ verdict, by }: AuditEntry) =>
  verdict && by ? `${VERDICTS[verdict]} by @${by.login}` : "Ran without asking, because it only reads";

const FAILURES: Record<NonNullable<NonNullable<AuditEntry["run"]>["failure"]>, string> = {
  rejected: "Rejected",
  cancelled: "Cancelled",
  exit_code: "Failed",
  signal: "Ended by a signal",
  deadline: "Past its deadline",
  lost: "Lost with its sandbox",
  not_started: "Not started",
  preparation_failed: "Not prepared",
  no_sandbox: "No sandbox",
  unreachable: "Sandbox unreachable",
  unknown: "Failed",
};

/** How the run ended, as a pill: a tone and a word. */
export function outcomeOf({ verdict, run }: AuditEntry): { tone: Tone; word: string } | undefined {
  if (!run) return verdict === "approved" ? { tone: "idle", word: "No run ended" } : undefined;
  if (!run.failure) return { tone: "ok", word: "Completed" };
  const code = run.exit_code === null ? "" : `, exit ${run.exit_code}`;
  return { tone: "bad", word: `${FAILURES[run.failure]}${code}` };
}
