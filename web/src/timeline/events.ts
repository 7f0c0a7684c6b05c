/** What happened in a project, day by day. */
import type { AuditEntry } from "../api/audit";
import type { Change } from "../api/changes";
import type { DocumentId, VersionHead } from "../api/documents";
import { inContext } from "../audit/context";

export type Happening =
  | { at: string; kind: "decision"; entry: AuditEntry }
  | { at: string; kind: "version"; document: DocumentId; version: VersionHead }
  | { at: string; kind: "change"; is: "begun" | "ended"; change: Change };

export interface Day {
  /** `2026-11-20`, UTC, as costs are summed up. */
  day: string;
  /** The day's cost in US dollars, if there was any. */
  cost: string | undefined;
  /** Newest first. */
  happenings: Happening[];
}

/** The stored versions of each document. */
export type Versions = readonly { document: DocumentId; versions: readonly VersionHead[] }[];

interface Sources {
  audit: readonly AuditEntry[];
  versions: Versions;
  costs: readonly { day: string; total_cost: string }[];
  changes?: readonly Change[];
}

/** The days with events or costs, newest first. */
export function timeline({ audit, versions, costs, changes = [] }: Sources): Day[] {
  const happenings: Happening[] = [
    ...changes.flatMap((change) => boundaries(change)),
    ...inContext(audit).map((entry) => ({ at: entry.at, kind: "decision" as const, entry })),
    ...versions.flatMap(({ document, versions }) =>
      versions.flatMap((version) =>
        version.written_at ? [{ at: version.written_at, kind: "version" as const, document, version }] : [],
      ),
    ),
  ];
  happenings.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const paid = new Map(costs.map(({ day, total_cost }) => [day, total_cost]));
  const days = new Set([...paid.keys(), ...happenings.map(dayOf)]);
  return [...days]
    .sort()
    .reverse()
    .map((day) => ({
      day,
      cost: paid.get(day),
      happenings: happenings.filter((one) => dayOf(one) === day),
    }));
}

/** The change that was current at a time. */
export const changeAt = (changes: readonly Change[], at: string): Change | undefined =>
  changes
    .filter(({ begun_at }) => Date.parse(begun_at) <= Date.parse(at))
    .sort((a, b) => Date.parse(b.begun_at) - Date.parse(a.begun_at))[0];

/** The begin of a change, and its end if it has one. The first one begins with the project. */
function boundaries(change: Change): Happening[] {
  const { begun_at, ended_at } = change;
  const ended: Happening[] = ended_at ? [{ at: ended_at, kind: "change", is: "ended", change }] : [];
  if (change.number === 1) return ended;
  return [...ended, { at: begun_at, kind: "change", is: "begun", change }];
}

const dayOf = ({ at }: { at: string }) => new Date(at).toISOString().slice(0, 10);
