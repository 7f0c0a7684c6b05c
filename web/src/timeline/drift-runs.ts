/** The checks of one run for drift, as one row of a day. */
import type { AuditEntry } from "../api/audit";
import { foundOf } from "../audit/words";
import { driftWord } from "../drift/words";
import type { Happening } from "./events";

/** How long the sandbox may take between two checks of one run, in milliseconds. */
const PAUSE_MS = 120_000;

type Decision = Extract<Happening, { kind: "decision" }>;

export interface DriftRun {
  kind: "drift_run";
  /** When its last check ended. */
  at: string;
  /** Newest first. */
  checks: Decision[];
}

/** The rows of a day, newest first, in which each run for drift of more than one check is one row. */
export function rowsOfDay(happenings: readonly Happening[]): (Happening | DriftRun)[] {
  const rows: (Happening | DriftRun)[] = [];
  for (const one of happenings) {
    const run = isDriftCheck(one)
      ? rows.findLast((row) => isDriftCheck(row) || row.kind === "drift_run")
      : undefined;
    if (!run || !isDriftCheck(one)) {
      rows.push(one);
      continue;
    }
    const checks = run.kind === "drift_run" ? run.checks : [run as Decision];
    if (
      belongs(
        one.entry,
        checks.map(({ entry }) => entry),
      )
    )
      rows[rows.indexOf(run)] = { kind: "drift_run", at: run.at, checks: [...checks, one] };
    else rows.push(one);
  }
  return rows;
}

const isDriftCheck = (one: Happening | DriftRun): one is Decision =>
  one.kind === "decision" &&
  one.entry.track === "drift" &&
  one.entry.verdict === null &&
  one.entry.run !== null;

/** Whether a check ran directly before these, and was not yet one of them. */
function belongs(entry: AuditEntry, later: readonly AuditEntry[]): boolean {
  const next = later.at(-1);
  if (!next || later.some((one) => one.step_number === entry.step_number)) return false;
  const begun = Date.parse(next.at) - (next.run?.duration_ms ?? 0);
  return next.plan_id === entry.plan_id && begun - Date.parse(entry.at) <= PAUSE_MS;
}

/** What a run found, in the words of the page that shows it: `5 of 6 as described, 1 drifted`. */
export function findingsOf({ checks }: DriftRun): string {
  const found = checks.map(({ entry }) => foundOf(entry.run?.failure ?? null));
  const count = (word: ReturnType<typeof foundOf>) => found.filter((one) => one === word).length;
  const others = (["drifted", "unknown"] as const).filter((word) => count(word) > 0);
  return [
    `${count("as_described")} of ${checks.length} ${driftWord("as_described")}`,
    ...others.map((word) => `${count(word)} ${driftWord(word)}`),
  ].join(", ");
}
