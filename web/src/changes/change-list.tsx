import { Link } from "react-router";
import type { Change } from "../api/changes";
import { cost } from "../lib/money";
import { paths } from "../lib/paths";
import { dayAndTime, shortDate } from "../lib/time";
import { buttonClass } from "../ui/button";
import { cx } from "../ui/class";
import { Pill } from "../ui/pill";
import { EndChange } from "./end-change";
import { UndoChange } from "./undo-change";
import { changeTitle, changeTone, changeWord } from "./words";

const DOTS: Record<Change["status"], string> = {
  in_progress: "bg-run",
  completed: "bg-ok",
  abandoned: "bg-ink-3",
  unfinished: "bg-ink-3",
  rolled_back: "bg-ink-3",
};

/** A project's changes on a line, newest first. */
export function ChangeList({ projectId, changes }: { projectId: number; changes: Change[] }) {
  return (
    <ol className="flex flex-col px-4.5 py-4">
      {changes.map((change) => (
        <li
          key={change.number}
          className="grid grid-cols-[5.5rem_1rem_1fr] gap-x-3 max-narrow:grid-cols-[1rem_1fr]"
        >
          <time
            dateTime={change.begun_at}
            className="pt-0.5 text-right text-ink-2 text-small tabular-nums max-narrow:hidden"
          >
            {shortDate(change.begun_at)}
          </time>
          <span aria-hidden className="relative flex justify-center">
            <span className="absolute inset-y-0 w-px bg-line-strong" />
            <span className={cx("relative mt-1.5 size-2.5 rounded-full", DOTS[change.status])} />
          </span>
          <div className="min-w-0 pb-6">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="min-w-0 break-words font-[560]">{changeTitle(change)}</span>
              <Pill tone={changeTone(change.status)}>{changeWord(change.status)}</Pill>
              {change.is_current && <span className="text-ink-2 text-small">current</span>}
            </p>
            <p className="text-ink-2 text-note">
              <span className="narrow:hidden">{shortDate(change.begun_at)} · </span>
              {change.ended_at ? `${changeWord(change.status)} ${dayAndTime(change.ended_at)} · ` : ""}$
              {cost(change.cost)}
              {change.begun_by ? ` · @${change.begun_by.login}` : ""}
            </p>
            <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
              {change.is_current && (
                <Link to={paths.project(projectId)} className={buttonClass("plain", "small")}>
                  Open stages
                </Link>
              )}
              {!change.is_current && change.status !== "abandoned" && (
                <Link
                  to={paths.change(projectId, change.number)}
                  className={buttonClass("plain", "small")}
                  aria-label={`Conversations and steps: ${changeTitle(change)}`}
                >
                  Conversations and steps
                </Link>
              )}
              {change.is_current && change.status === "in_progress" && change.number > 1 && (
                <EndChange projectId={projectId} change={change} />
              )}
              {change.is_current &&
                change.status === "completed" &&
                change.number > 1 &&
                change.kind === "change" && <UndoChange projectId={projectId} number={change.number} />}
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}
