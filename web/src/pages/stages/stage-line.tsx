import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { StageLink } from "../../stages/stage-link";
import type { Stage } from "../../stages/stages";
import { cx } from "../../ui/class";

interface StageLineProps {
  projectId: number;
  stages: Stage[];
  /** The stage that is shown. */
  current: Stage | undefined;
  /** The stage that the project has reached. */
  reached: Stage | undefined;
  /** The stages whose result is older than its source. */
  old: readonly Stage["stage_id"][];
  onSelect: (stageId: Stage["stage_id"]) => void;
}

/** The stages as a line with nodes; a stage that is not active yet cannot be chosen. */
export function StageLine({ stages, ...line }: StageLineProps) {
  return (
    <nav aria-label="Stages">
      <ol className="-mx-1">
        {stages.map((stage, index) => {
          const here = stage.stage_id === line.current?.stage_id;
          const isOld = line.old.includes(stage.stage_id);
          return (
            <li key={stage.stage_id} className="relative">
              {index > 0 && <Track done={stages[index - 1]?.is_completed} half="top" />}
              {index < stages.length - 1 && <Track done={stage.is_completed} half="bottom" />}
              <Entry
                stage={stage}
                {...line}
                className={cx(
                  "relative flex w-full items-center gap-3 rounded-box border px-2.5 py-1.75 text-left no-underline transition-colors duration-150",
                  here ? "border-line bg-raised shadow-xs" : "border-transparent",
                  stage.is_active && !here && "hover:bg-sunken",
                )}
              >
                <Node stage={stage} number={index + 1} {...line} />
                <span className="min-w-0">
                  <span
                    className={cx(
                      "block font-[560] leading-snug",
                      stage.is_active ? "text-ink" : "text-ink-2",
                    )}
                  >
                    {stage.name}
                  </span>
                  <span
                    className={cx("block text-small leading-snug", isOld ? "text-signal-text" : "text-ink-3")}
                  >
                    {isOld ? "Out of date" : stage.description}
                  </span>
                </span>
              </Entry>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The same line for a narrow window: only the nodes, because the page itself names the current stage. */
export function StageDots({ stages, ...line }: StageLineProps) {
  return (
    <nav aria-label="Stages">
      <ol className="flex items-center">
        {stages.map((stage, index) => (
          <li key={stage.stage_id} className="flex items-center">
            {index > 0 && (
              <span
                aria-hidden
                className={cx("h-0.5 w-2.5", stages[index - 1]?.is_completed ? "bg-ok" : "bg-line-strong")}
              />
            )}
            <Entry
              stage={stage}
              {...line}
              className="grid size-7 place-items-center rounded-full no-underline"
            >
              <Node stage={stage} number={index + 1} {...line} />
              <span className="sr-only">
                {" "}
                {stage.name}
                {line.old.includes(stage.stage_id) && ", out of date"}
              </span>
            </Entry>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface EntryProps extends Pick<StageLineProps, "projectId" | "current" | "onSelect"> {
  stage: Stage;
  className: string;
  children: ReactNode;
}

/** A link to a stage in the line; disabled while the stage is not active. */
function Entry({ projectId, stage, current, onSelect, className, children }: EntryProps) {
  if (!stage.is_active) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a link that is disabled has no address.
      <a role="link" aria-disabled className={className}>
        {children}
      </a>
    );
  }
  return (
    <StageLink
      projectId={projectId}
      stage={stage.stage_id}
      onGo={() => onSelect(stage.stage_id)}
      aria-current={stage.stage_id === current?.stage_id ? "step" : undefined}
      className={className}
    >
      {children}
    </StageLink>
  );
}

interface NodeProps extends Pick<StageLineProps, "current" | "reached"> {
  stage: Stage;
  number: number;
}

/** Green once the stage is completed, amber while the project is at it; a ring marks the stage that is shown. */
function Node({ stage, number, current, reached }: NodeProps) {
  const here = stage.stage_id === current?.stage_id;
  const done = stage.is_completed;
  const underWay = !done && stage.stage_id === reached?.stage_id;
  return (
    <span
      className={cx(
        "z-1 grid size-5 shrink-0 place-items-center rounded-full font-[600] font-display text-tiny leading-none",
        done && "bg-ok text-surface",
        underWay && "bg-signal text-on-signal",
        !done && !underWay && "border border-line-strong bg-ground text-ink-3",
        here && (underWay ? "ring-4 ring-signal/25" : "outline-2 outline-ink outline-offset-2"),
      )}
    >
      {done ? <Check size={12} strokeWidth={3} aria-hidden /> : number}
      {done && <span className="sr-only"> completed</span>}
    </span>
  );
}

function Track({ done, half }: { done: boolean | undefined; half: "top" | "bottom" }) {
  return (
    <span
      aria-hidden
      className={cx(
        "absolute left-5 z-1 w-0.5",
        half === "top" ? "top-0 bottom-1/2 mb-2.5" : "top-1/2 bottom-0 mt-2.5",
        done ? "bg-ok" : "bg-line-strong",
      )}
    />
  );
}
