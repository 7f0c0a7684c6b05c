/** Words for the findings of the checks for drift. */

import type { Drift, DriftCheck, Every } from "../api/drift";
import { counted } from "../lib/text";
import type { Tone } from "../ui/pill";

const WORDS: Record<DriftCheck["status"], { tone: Tone; word: string }> = {
  as_described: { tone: "ok", word: "as described" },
  outdated: { tone: "signal", word: "outdated" },
  drifted: { tone: "bad", word: "drifted" },
  waiting: { tone: "idle", word: "waiting" },
  checking: { tone: "run", word: "checking" },
  unknown: { tone: "signal", word: "could not tell" },
};

export const EVERY: Record<Every, string> = {
  off: "only when I ask",
  daily: "daily",
  weekly: "weekly",
};

export const driftWord = (status: DriftCheck["status"]) => WORDS[status].word;
export const driftTone = (status: DriftCheck["status"]) => WORDS[status].tone;

/** The overall state, from all checks of the validated state. */
export function summaryOf(checks: readonly Pick<DriftCheck, "status">[]): string {
  const count = (...statuses: DriftCheck["status"][]) =>
    checks.filter(({ status }) => statuses.includes(status)).length;
  const left = count("checking", "waiting");
  if (left > 0) return `Checking: ${left} to go`;
  const [unknown, outdated] = [count("unknown"), count("outdated")];
  const problems = [
    driftOf({ checks }),
    unknown > 0 && `${counted(unknown, "check")} could not tell`,
    outdated > 0 && `${counted(outdated, "check")} passed before a step ran again`,
  ];
  return (
    problems.filter(Boolean).join(", ") || `${checks.length} of ${counted(checks.length, "check")} passed`
  );
}

/** How many checks found drift, if any did. */
export function driftOf({ checks }: { checks: readonly Pick<DriftCheck, "status">[] }): string | undefined {
  const drifted = checks.filter(({ status }) => status === "drifted").length;
  return drifted > 0 ? `${drifted} of ${counted(checks.length, "check")} found drift` : undefined;
}

/** When the last of the checks ended. */
export const checkedAt = (checks: readonly Pick<DriftCheck, "checked_at">[]): string | undefined =>
  checks.map(({ checked_at }) => checked_at).sort((a, b) => Date.parse(b) - Date.parse(a))[0];

/** The requirements that a check proves, as a list in words; empty if it names none. */
export const provesWords = ({ requirements }: Pick<DriftCheck, "requirements">): string =>
  requirements.map(({ id, wish }) => `${id} (${wish})`).join(", ");

/** Whether a schedule waits, because none of its checks may run again. */
export const isPaused = ({ every, checks }: Pick<Drift, "every"> & { checks: readonly Allowed[] }): boolean =>
  every !== "off" && checks.every(({ approved_by }) => approved_by === null);

type Allowed = Pick<DriftCheck, "approved_by">;

/** How a check and its requirements belong together: one that found drift does not prove them. */
export const aboutWords = (check: Pick<DriftCheck, "requirements" | "status">): string =>
  `${check.status === "drifted" ? "concerns" : "proves"} ${provesWords(check)}`;

/** A check's finding: the last line of its output, or why it has none. */
export function foundBy({ output, error_message }: Pick<DriftCheck, "output" | "error_message">): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? error_message ?? "";
}
