import { ChevronRight, FileText, GitCommitVertical } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { AuditEntry } from "../api/audit";
import { AuditRow } from "../audit/list";
import { entryKey } from "../audit/words";
import { changeTitle, changeTone, changeWord } from "../changes/words";
import { cost } from "../lib/money";
import { dayAndTime } from "../lib/time";
import { cx } from "../ui/class";
import { Pill } from "../ui/pill";
import { DOCUMENT_NAMES } from "../versions/words";
import { type DriftRun, findingsOf, rowsOfDay } from "./drift-runs";
import type { Day, Happening } from "./events";

interface DaysProps {
  days: Day[];
  /** The output of an entry's run. */
  printed: (entry: AuditEntry) => ReactNode;
}

/** The days of a project, each with its cost. */
export function Days({ days, printed }: DaysProps) {
  // The times in the rows are local, and a day's cost is that of a UTC day.
  const elsewhere = new Date().getTimezoneOffset() !== 0;
  return days.map(({ day, cost: paid, happenings }) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-6">
      <header className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id={`day-${day}`} className="text-lead">
          {longDay(day)}
          {elsewhere && <span className="font-normal text-ink-2 text-note"> UTC</span>}
        </h2>
        {paid !== undefined && <span className="font-mono text-note">${cost(paid)}</span>}
      </header>
      {happenings.length > 0 ? (
        <ul className="rounded-card border border-line bg-surface">
          {rowsOfDay(happenings).map((one) =>
            one.kind === "drift_run" ? (
              <DriftRunRow key={runKey(one)} run={one} printed={printed} />
            ) : (
              <Row key={happeningKey(one)} happening={one} printed={printed} />
            ),
          )}
        </ul>
      ) : (
        <p className="text-ink-2 text-note">
          Only conversations and sandbox time; no decisions or documents.
        </p>
      )}
    </section>
  ));
}

interface DriftRunRowProps {
  run: DriftRun;
  printed: DaysProps["printed"];
}

/** The checks of one run for drift: what they found, and each of them once the row is opened. */
function DriftRunRow({ run, printed }: DriftRunRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li className="border-line border-b last:border-0">
      <h3 className="font-normal font-sans">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-14 w-full items-center gap-3 px-4.5 py-2 text-left font-sans focus-visible:-outline-offset-2"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={cx("shrink-0 text-ink-2 transition-transform duration-150", open && "rotate-90")}
          />
          <span className="min-w-0 flex-1">
            <span className="block break-words font-[560]">Drift check: {findingsOf(run)}</span>
            <time dateTime={run.at} className="block text-ink-2 text-note">
              {dayAndTime(run.at)}
            </time>
          </span>
        </button>
      </h3>
      {open && (
        <ul id={id} className="border-line border-t pl-5.5 max-narrow:pl-0">
          {run.checks.map((check) => (
            <AuditRow key={happeningKey(check)} entry={check.entry} level={4} more={printed(check.entry)} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface RowProps {
  happening: Happening;
  printed: DaysProps["printed"];
  /** Whether the row begins opened. */
  opened?: boolean;
}

/** One decision, version or change. */
export function Row({ happening, printed, opened = false }: RowProps) {
  if (happening.kind === "decision") {
    const { entry } = happening;
    return <AuditRow entry={entry} level={3} opened={opened} more={printed(entry)} />;
  }
  if (happening.kind === "change") {
    const { change, is } = happening;
    const begun = change.begun_by ? `Begun by @${change.begun_by.login}` : "Begun";
    return (
      <Plain
        icon={<GitCommitVertical size={14} aria-hidden className="shrink-0 text-ink-2" />}
        title={changeTitle(change)}
        how={is === "begun" ? begun : `Cost $${cost(change.cost)}`}
        at={happening.at}
      >
        {is === "ended" && (
          <Pill tone={changeTone(change.status)}>{capitalized(changeWord(change.status))}</Pill>
        )}
      </Plain>
    );
  }
  const { version } = happening;
  const how = version.restored_from === null ? "Written" : `Restored from version ${version.restored_from}`;
  return (
    <Plain
      icon={<FileText size={14} aria-hidden className="shrink-0 text-ink-2" />}
      title={versionTitle(happening)}
      how={how}
      at={happening.at}
    />
  );
}

interface PlainProps {
  icon: ReactNode;
  title: string;
  how: string;
  at: string;
  children?: ReactNode;
}

/** A row that does not open. */
function Plain({ icon, title, how, at, children }: PlainProps) {
  return (
    <li className="flex min-h-14 items-center gap-3 border-line border-b px-4.5 py-2 last:border-0">
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block break-words font-[560]">{title}</span>
        <span className="block text-ink-2 text-note">
          {how} <span className="max-narrow:hidden">· </span>
          <time dateTime={at} className="whitespace-nowrap max-narrow:block">
            {dayAndTime(at)}
          </time>
        </span>
      </span>
      {children}
    </li>
  );
}

function versionTitle({ document, version }: Extract<Happening, { kind: "version" }>): string {
  return `${capitalized(DOCUMENT_NAMES[document])}, version ${version.number}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Distinguishes a happening from all others. */
export function happeningKey(one: Happening): string {
  if (one.kind === "version") return `${one.document}:${one.version.number}`;
  if (one.kind === "change") return `change:${one.change.number}:${one.is}`;
  return entryKey(one.entry);
}

/** Its first check, which stays while later ones are added. */
const runKey = ({ checks }: DriftRun) => `run:${checks.map(happeningKey).at(-1)}`;

const longDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
    weekday: "long",
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });
