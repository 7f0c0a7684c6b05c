import { type ReactNode, useCallback, useLayoutEffect } from "react";
import type { Progress } from "../api/execution";
import { GlideRows, useGlide } from "../lib/glide";
import { Skeleton } from "../ui/states";
import { StepCard } from "./step-card";
import type { Track } from "./track";
import { useStrayReview } from "./use-review";
import { problemOf, type StepActions } from "./use-step-actions";

/** Begins at the current step; later changes glide. */
function showOpenStep(list: HTMLOListElement | null) {
  list?.querySelector("[data-open-step]")?.scrollIntoView({ block: "nearest" });
}

/**
 * The summary, the switches and the list of a card, and the bar below them. On a phone they scroll together: a waiting
 * step has the whole card for reading it before it is approved.
 */
export function StepsPane({ children, foot }: { children: ReactNode; foot: ReactNode }) {
  return (
    <>
      <div className="relative flex min-h-0 flex-1 flex-col tight:overflow-y-auto tight:overscroll-contain">
        {children}
      </div>
      {foot}
    </>
  );
}

interface StepListProps {
  track: Track;
  progress: Progress;
  actions: StepActions;
  /** Shown in place of an empty list. */
  empty: ReactNode;
}

/** The steps of a track, each with its actions. */
export function StepList({ track, progress, actions, empty }: StepListProps) {
  const { list, settle } = useGlide();
  const box = useCallback(
    (element: HTMLOListElement | null) => {
      list.current = element;
      showOpenStep(element);
    },
    [list],
  );
  useLayoutEffect(settle);
  useStrayReview(progress.steps);
  if (progress.steps.length === 0) return empty;
  return (
    <ol
      ref={box}
      className="relative -mb-px min-h-0 flex-1 overflow-y-auto overscroll-contain tight:flex-none tight:overflow-visible"
    >
      <GlideRows value={settle}>
        {progress.steps.map((step) => (
          <StepCard
            key={step.step_number}
            track={track}
            planId={progress.id}
            step={step}
            steps={progress.steps}
            total={progress.totalSteps}
            busy={actions.busy[step.step_number]}
            problem={problemOf(actions, step)}
            onAct={(step, action, reason) => actions.act(progress.id, step, action, reason)}
          />
        ))}
      </GlideRows>
    </ol>
  );
}

export function StepListSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="flex items-center gap-5 border-line border-b px-4.5 py-4">
        <Skeleton className="size-20 rounded-full" />
        <span className="flex flex-1 flex-col gap-2.5">
          <Skeleton className="h-3 w-1/3" />
          <Skeleton className="h-3.5 w-2/3" />
        </span>
      </div>
      <div className="flex gap-5 border-line border-b px-4.5 py-3">
        <Skeleton className="h-3.5 w-40" />
        <Skeleton className="h-3.5 w-40 max-narrow:hidden" />
      </div>
      {["w-1/2", "w-1/3", "w-2/5", "w-1/4"].map((width) => (
        <div key={width} className="flex h-11 items-center border-line border-b px-4.5">
          <Skeleton className={`h-3 ${width}`} />
        </div>
      ))}
    </div>
  );
}
