import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import type { AuditEntry } from "../api/audit";
import { AuditRow } from "../audit/list";
import { entryKey } from "../audit/words";
import { cost } from "../lib/money";
import { dayAndTime } from "../lib/time";
import { DOCUMENT_NAMES } from "../versions/words";
import type { Day, Happening } from "./events";

interface DaysProps {
  days: Day[];
  /** The output of an entry's run. */
  printed: (entry: AuditEntry) => ReactNode;
}

/** The days of a project, each with its cost. */
export function Days({ days, printed }: DaysProps) {
  return days.map(({ day, cost: paid, happenings }) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-6">
      <header className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id={`day-${day}`} className="text-lead">
          {longDay(day)}
        </h2>
        {paid !== undefined && <span className="font-mono text-note">${cost(paid)}</span>}
      </header>
      {happenings.length > 0 ? (
        <ul className="rounded-card border border-line bg-surface">
          {happenings.map((one) => (
            <Row key={keyOf(one)} happening={one} printed={printed} />
          ))}
        </ul>
      ) : (
        <p className="text-ink-2 text-note">Only conversations and the sandbox; no decision or document.</p>
      )}
    </section>
  ));
}

function Row({ happening, printed }: { happening: Happening; printed: DaysProps["printed"] }) {
  if (happening.kind === "decision") {
    const { entry } = happening;
    return <AuditRow entry={entry} level={3} more={printed(entry)} />;
  }
  const { document, version } = happening;
  const name = DOCUMENT_NAMES[document];
  return (
    <li className="flex min-h-14 items-center gap-3 border-line border-b px-4.5 py-2 last:border-0">
      <FileText size={14} aria-hidden className="shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1">
        <span className="block font-[560]">
          {name.charAt(0).toUpperCase() + name.slice(1)}, version {version.number}
        </span>
        <span className="block text-ink-2 text-note">
          {version.restored_from === null ? "Written" : `Restored from version ${version.restored_from}`} ·{" "}
          <time dateTime={happening.at}>{dayAndTime(happening.at)}</time>
        </span>
      </span>
    </li>
  );
}

function keyOf(one: Happening): string {
  if (one.kind === "version") return `${one.document}:${one.version.number}`;
  return entryKey(one.entry);
}

const longDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
