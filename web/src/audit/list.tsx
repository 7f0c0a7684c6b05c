import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { AuditEntry } from "../api/audit";
import { shortDigest } from "../lib/text";
import { dayAndTime, duration } from "../lib/time";
import { cx } from "../ui/class";
import { Code } from "../ui/code";
import { InlineCode } from "../ui/inline-code";
import { Pill } from "../ui/pill";
import { inContext } from "./context";
import { decisionOf, entryKey, isAboutLink, outcomeOf, placeOf, titleOf } from "./words";

/** One row for each decision, and for each command that needed none. */
export function AuditList({ entries }: { entries: AuditEntry[] }) {
  return (
    <ul>
      {inContext(entries).map((entry) => (
        <AuditRow key={entryKey(entry)} entry={entry} />
      ))}
    </ul>
  );
}

interface AuditRowProps {
  entry: AuditEntry;
  /** The heading level, below those of the page. */
  level?: 2 | 3 | 4;
  /** Whether the row begins opened. */
  opened?: boolean;
  /** Further content of the opened row. */
  more?: ReactNode;
}

export function AuditRow({ entry, level = 2, opened = false, more }: AuditRowProps) {
  const Heading = `h${level}` as const;
  const [open, setOpen] = useState(opened);
  const id = useId();
  const outcome = outcomeOf(entry);
  return (
    <li className="border-line border-b last:border-0">
      <Heading className="font-normal font-sans">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-14 w-full items-center gap-3 px-4.5 py-2 text-left font-sans focus-visible:-outline-offset-2 max-narrow:items-start"
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={cx(
              "shrink-0 text-ink-2 transition-transform duration-150 max-narrow:mt-1",
              open && "rotate-90",
            )}
          />
          <span className="flex min-w-0 flex-1 flex-col">
            <span
              className={cx(
                "min-w-0 font-[560]",
                open ? "break-words" : "truncate max-narrow:line-clamp-2 max-narrow:whitespace-normal",
              )}
            >
              {placeOf(entry)}: <InlineCode text={titleOf(entry)} />
            </span>
            <span className="text-ink-2 text-note">
              {decisionOf(entry)} <span className="max-narrow:hidden">· </span>
              <time dateTime={entry.at} className="whitespace-nowrap max-narrow:block">
                {dayAndTime(entry.at)}
              </time>
            </span>
          </span>
          {outcome && <Pill tone={outcome.tone}>{outcome.word}</Pill>}
        </button>
      </Heading>
      {open && (
        <div id={id} className="flex animate-appear flex-col gap-3 pr-4.5 pb-4 pl-11 max-narrow:pl-4.5">
          <Facts entry={entry} />
          {entry.command && (
            <Code label={`Command of ${placeOf(entry).toLowerCase()}`} text={entry.command} short />
          )}
          {more}
        </div>
      )}
    </li>
  );
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { run, credentials, command_sha256, command_sha256_before: before } = entry;
  if (isAboutLink(entry)) return <p className="break-all font-mono text-small">{entry.plan_id}</p>;
  const facts: [string, string][] = [
    ["Attempt", String(entry.attempt)],
    ...(command_sha256 ? [["Command", `sha256 ${shortDigest(command_sha256)}`] as [string, string]] : []),
    ...(before ? [["Before", `sha256 ${shortDigest(before)}`] as [string, string]] : []),
    ["Credentials", credentials.length > 0 ? credentials.join(", ") : "None"],
    ...(run
      ? ([
          ["Ended", dayAndTime(run.ended_at)],
          ...(run.duration_ms === null ? [] : [["Took", duration(run.duration_ms)]]),
        ] as [string, string][])
      : []),
  ];
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-note">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd
            className={cx("min-w-0 break-words", value.startsWith("sha256") && "font-mono text-small")}
            {...(name === "Command" ? { title: command_sha256 ?? "" } : {})}
            {...(name === "Before" ? { title: before ?? "" } : {})}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
