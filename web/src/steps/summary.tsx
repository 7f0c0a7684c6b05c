import type { ReactNode } from "react";
import type { Progress, Step } from "../api/execution";
import { Pill } from "../ui/pill";
import { descriptionOf, statusTone, statusWord } from "../ui/step-status";
import { Ring } from "./ring";
import { completedCount, lastExecuted, percentCompleted, underWay } from "./rules";

interface SummaryProps {
  /** The track's name: "Execution" or "Validation". */
  title: string;
  progress: Progress;
  /** Further facts, on the line of the number of steps. */
  children?: ReactNode;
}

/** The name of a field, with room for a status next to it. */
const FIELD = "grid min-w-0 grid-cols-[max-content_1fr] grid-rows-[--spacing(6)_auto] items-center gap-x-2";
/** The same height with and without a step, so that the list below does not move when a step ends. */
const VALUE = "col-span-2 min-h-10.5 self-start font-[560] @max-[460px]:min-h-0";
const NAME = "line-clamp-2 break-words @max-[460px]:line-clamp-1";

/** The progress of the steps, at the top of their card. */
export function Summary({ title, progress, children }: SummaryProps) {
  const done = completedCount(progress.steps);
  const current = underWay(progress.steps);
  const last = lastExecuted(progress.steps);
  return (
    <div className="@container shrink-0">
      <div className="flex items-center gap-5 border-line border-b px-4.5 py-3 @max-[460px]:gap-3.5">
        <Ring label={`${title} progress`} percent={percentCompleted(done, progress.totalSteps)} />
        <div className="min-w-0 flex-1">
          <dl className="grid grid-cols-2 gap-x-5 gap-y-1 @max-[460px]:grid-cols-1">
            <div className={FIELD}>
              <dt className="label">Current {title}</dt>
              <dd className={VALUE}>
                <span className={NAME}>{current.length > 0 ? namedAll(current) : "None"}</span>
              </dd>
            </div>
            <div className={FIELD}>
              <dt className="label">{title === "Validation" ? "Last Validated" : "Last Executed"}</dt>
              <dd className={VALUE}>
                <span className={NAME}>{last ? named(last) : "None"}</span>
              </dd>
              {last && (
                <dd className="col-start-2 row-start-1 flex">
                  <Pill tone={statusTone(last)}>{statusWord(last.status)}</Pill>
                </dd>
              )}
            </div>
          </dl>
          <div className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-0.5 text-ink-2 text-note">
            <p>
              {done} / {progress.totalSteps} steps completed
            </p>
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}

const named = (step: Step) => `Step ${step.step_number} · ${descriptionOf(step)}`;

/** One step by its title, and several by their numbers. */
const namedAll = (steps: Step[]) =>
  steps.length === 1
    ? steps.map(named).join()
    : steps.map(({ step_number }) => `Step ${step_number}`).join(", ");
