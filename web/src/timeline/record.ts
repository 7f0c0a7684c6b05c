/**
 * The timeline as an exported record: one file that a person, or a program, can read without Groundcrew.
 *
 * It contains what its owner sees on the page and nothing more. The sandbox masks credentials before it sends output,
 * and documents have `{{secret:NAME}}` in place of a value, so the file names credentials and contains none.
 */
import type { AuditEntry } from "../api/audit";
import type { Change } from "../api/changes";
import type { Schemas } from "../api/client";
import type { DocumentId, VersionHead } from "../api/documents";
import type { Day } from "./events";
import { type Output, outputOfRun, type Plans } from "./output";

export type Part = Schemas["Part"];

export type Recorded =
  | { kind: "decision"; entry: AuditEntry; output: Output | undefined }
  | { kind: "version"; document: DocumentId; version: VersionHead }
  | { kind: "change"; is: "begun" | "ended"; change: Change };

export interface TimelineRecord {
  /** The version of the record's format; a program that reads it compares this first. */
  format: "groundcrew-timeline/1";
  project: { id: number; name: string };
  exported_at: string;
  /** Whether the owner chose to include the output of runs. */
  includes_output: boolean;
  /** The cost of all days, in US dollars. */
  total_cost: string;
  /** Newest first; days are UTC. */
  days: { day: string; cost: string | undefined; happenings: Recorded[] }[];
  /** The present version of each document that exists. */
  documents: { document: DocumentId; version: number; parts: Part[] }[];
}

interface Sources {
  project: { id: number; name: string };
  now: string;
  days: readonly Day[];
  documents: TimelineRecord["documents"];
  /** Undefined leaves the output out. */
  plans: Plans | undefined;
}

export function timelineRecord({ project, now, days, documents, plans }: Sources): TimelineRecord {
  return {
    format: "groundcrew-timeline/1",
    project: { id: project.id, name: project.name },
    exported_at: now,
    includes_output: plans !== undefined,
    total_cost: total(days),
    days: days.map(({ day, cost, happenings }) => ({
      day,
      cost,
      happenings: happenings.map((one): Recorded => {
        if (one.kind === "change") return { kind: "change", is: one.is, change: one.change };
        if (one.kind === "version") return { kind: "version", document: one.document, version: one.version };
        const output = plans && outputOfRun(one.entry, plans);
        return { kind: "decision", entry: one.entry, output };
      }),
    })),
    documents,
  };
}

const MICROS = 1_000_000;

/** The sum of the days, exact in millionths of a dollar as the days are. */
function total(days: readonly Day[]): string {
  const micros = days.map(({ cost }) => Math.round(Number.parseFloat(cost ?? "0") * MICROS));
  return (micros.reduce((sum, one) => sum + one, 0) / MICROS).toFixed(6);
}

/** A file name: the project's name, reduced to what every file system accepts. */
export function fileName({ id, name }: { id: number; name: string }, extension: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase();
  return `${plain || id}-timeline.${extension}`;
}
