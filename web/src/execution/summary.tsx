import type { Progress, Step } from "../api/execution";
import { Pill } from "../ui/pill";
import { Ring } from "./ring";
import { completedCount, currentStep, lastExecuted, percent } from "./rules";
import { descriptionOf, statusTone, statusWord } from "./status";

interface SummaryProps {
  /** What goes on: "Execution" or "Validation". */
  title: string;
  progress: Progress;
}

/** How far the steps are, at the top of their card. */
export function Summary({ title, progress }: SummaryProps) {
  const done = completedCount(progress.steps);
  const current = currentStep(progress.steps);
  const last = lastExecuted(progress.steps);
  return (
    <div className="flex shrink-0 items-center gap-5 border-line border-b px-4.5 py-4 max-narrow:gap-3.5">
      <Ring label={`${title} progress`} percent={percent(done, progress.totalSteps)} />
      <div className="min-w-0 flex-1">
        <dl className="grid grid-cols-2 gap-x-5 gap-y-1.5 max-narrow:grid-cols-1">
          <div className="min-w-0">
            <dt className="label">Current {title}</dt>
            <dd className="line-clamp-2 font-[560]">{current ? named(current) : "None"}</dd>
          </div>
          <div className="min-w-0">
            <dt className="label">{title === "Validation" ? "Last Validated" : "Last Executed"}</dt>
            <dd className="flex flex-wrap items-center gap-x-2 gap-y-1 font-[560]">
              {last ? (
                <>
                  <span className="line-clamp-2">{named(last)}</span>
                  <Pill tone={statusTone(last)}>{statusWord(last.status)}</Pill>
                </>
              ) : (
                "None"
              )}
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
