/** Words for audit entries. */
import type { AuditEntry } from "../api/audit";
import { driftTone, driftWord } from "../drift/words";
import type { Tone } from "../ui/pill";

const PLACES: Record<AuditEntry["track"], string> = {
  execution: "Step",
  validation: "Check",
  helper: "Helper command",
  drift: "Check for drift",
  rollback: "Rollback from step",
};

/** Whether an entry is about a link to the timeline; the link's id is in the plan's place. */
export const isAboutLink = ({ verdict }: AuditEntry) => verdict === "shared" || verdict === "withdrawn";

export const placeOf = (entry: AuditEntry) => {
  const { track, step_number, verdict } = entry;
  return isAboutLink(entry)
    ? "Read-only link"
    : verdict === "restored"
      ? "Workspace"
      : verdict === "scheduled"
        ? "Schedule"
        : verdict === "autonomy"
          ? `All ${PLACES[track].toLowerCase()}s`
          : `${PLACES[track]} ${step_number}`;
};

const LINK = /^Link \S+, (with|without) output, until (\d{4}-\d{2}-\d{2})$/;

/** What the entry is about, in words. */
export function titleOf(entry: AuditEntry): string {
  const link = isAboutLink(entry) ? LINK.exec(entry.description) : null;
  if (link) return `${link[1]} output, until ${dayOf(link[2] ?? "")}`;
  return entry.description || "No title";
}

const dayOf = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });

/**
 * Distinguishes an entry from all others: an attempt is decided once, but its owner may edit it any number of times.
 */
export const entryKey = ({ track, plan_id, step_number, attempt, verdict, at }: AuditEntry) =>
  [track, plan_id, step_number, attempt, verdict, at].join(":");

const VERDICTS: Record<NonNullable<AuditEntry["verdict"]>, string> = {
  approved: "Approved",
  rejected: "Rejected",
  cancelled: "Canceled",
  edited: "Edited",
  autonomy: "Set",
  approval_withdrawn: "Standing approval withdrawn",
  scheduled: "Set",
  shared: "Made",
  withdrawn: "Withdrawn",
  restored: "Restored",
};

/** The decision and the person, in words; a command that only reads needs no decision. */
export const decisionOf = ({ track, verdict, by, context }: AuditEntry) =>
  verdict && by
    ? context === "again"
      ? `Started again by @${by.login}`
      : `${VERDICTS[verdict]} by @${by.login}${context === "run_all" ? " while all steps ran without asking" : ""}`
    : track === "drift"
      ? "Ran again under its standing approval"
      : "Ran without asking, because it only reads";

const FAILURES: Record<NonNullable<NonNullable<AuditEntry["run"]>["failure"]>, string> = {
  rejected: "Rejected",
  cancelled: "Canceled",
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

/** The end of the run, as a pill: a tone and a word. */
export function outcomeOf(entry: AuditEntry): { tone: Tone; word: string } | undefined {
  const { track, verdict, run, context } = entry;
  if (!run) {
    const runs = verdict === "approved" && track !== "drift" && context !== "again";
    return runs ? { tone: "idle", word: "No run ended" } : undefined;
  }
  if (track === "drift") return driftOutcome(run);
  if (!run.failure) return { tone: "ok", word: "Completed" };
  const code = run.exit_code === null ? "" : `, exit ${run.exit_code}`;
  const word = FAILURES[run.failure];
  return { tone: "bad", word: `${word}${code}` };
}

type Failure = NonNullable<AuditEntry["run"]>["failure"];

/** What a check for drift found, by how it ended. */
export const foundOf = (failure: Failure): "as_described" | "drifted" | "unknown" =>
  failure === null ? "as_described" : failure === "exit_code" ? "drifted" : "unknown";

function driftOutcome({ failure, exit_code }: NonNullable<AuditEntry["run"]>): { tone: Tone; word: string } {
  const found = foundOf(failure);
  const word = driftWord(found).replace(/^./, (letter) => letter.toUpperCase());
  const why = found === "unknown" && failure ? `: ${FAILURES[failure].toLowerCase()}` : "";
  const code = failure === null || exit_code === null ? "" : `, exit ${exit_code}`;
  return { tone: driftTone(found), word: `${word}${why}${code}` };
}
