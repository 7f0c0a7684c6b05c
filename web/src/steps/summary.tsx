import type { Progress, Step } from "../api/execution";
import { Pill } from "../ui/pill";
import { descriptionOf, statusTone, statusWord } from "../ui/step-status";
import { Ring } from "./ring";
import { completedCount, lastExecuted, percent, underWay } from "./rules";

interface SummaryProps {
  /** The track's name: "Execution" or "Validation". */
  title: string;
  progress: Progress;
}

/** The same height with and without a step and its status, so that the list below does not move when a step ends. */
const VALUE =
  "flex min-h-11.5 flex-col items-start gap-0.5 font-[560] max-narrow:min-h-6 max-narrow:flex-row max-narrow:items-center max-narrow:gap-2";

/** The progress of the steps, at the top of their card. */
export function Summary({ title, progress }: SummaryProps) {
  const done = completedCount(progress.steps);
  const current = underWay(progress.steps);
  const last = lastExecuted(progress.steps);
  return (
    <div className="flex shrink-0 items-center gap-5 border-line border-b px-4.5 py-4 max-narrow:gap-3.5">
      <Ring label={`${title} progress`} percent={percent(done, progress.totalSteps)} />
      <div className="min-w-0 flex-1">
        <dl className="grid grid-cols-2 gap-x-5 gap-y-1.5 max-narrow:grid-cols-1">
          <div className="min-w-0">
            <dt className="label">Current {title}</dt>
            <dd className={VALUE}>
              <span className="max-w-full truncate">{current.length > 0 ? namedAll(current) : "None"}</span>
            </dd>
          </div>
          <div className="min-w-0">
            <dt className="label">{title === "Validation" ? "Last Validated" : "Last Executed"}</dt>
            <dd className={VALUE}>
              <span className="min-w-0 max-w-full truncate">{last ? named(last) : "None"}</span>
              {last && <Pill tone={statusTone(last)}>{statusWord(last.status)}</Pill>}
            </dd>
          </div>
        </dl>
        <p className="mt-2 text-ink-2 text-note">
          {done} / {progress.totalSteps} steps completed
        </p>
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
