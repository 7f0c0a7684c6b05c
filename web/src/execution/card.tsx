import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { NoStepsData, type Progress, progressKey, progressQuery } from "../api/execution";
import { NotifyToggle } from "../attention/notify-toggle";
import { ROOMY, useMedia } from "../lib/media";
import { tabStorage } from "../lib/storage";
import { useStoredFlag } from "../lib/stored";
import { ApprovalBar } from "../steps/approval-bar";
import { meaningOf } from "../steps/ask-about";
import { ALL_STEPS, allCompleted, endedRuns, isRolledBack } from "../steps/rules";
import { RunningBar } from "../steps/running-bar";
import { StepList, StepListSkeleton, StepsPane } from "../steps/step-list";
import { Summary } from "../steps/summary";
import { executionTrack } from "../steps/track";
import { useAutonomy } from "../steps/use-autonomy";
import { useAutopilot } from "../steps/use-autopilot";
import { useStepActions } from "../steps/use-step-actions";
import { Card } from "../ui/card";
import { Empty, Failure } from "../ui/states";
import { Toggle } from "../ui/toggle";
import { EstimateLine } from "./estimate";
import { OldSteps } from "./old-steps";
import { RollBack } from "./roll-back";
import { ToValidation } from "./to-validation";
import { UpTo, upToOf, useUpTo } from "./up-to";

interface ExecutionCardProps {
  projectId: number;
  /** Whether the stage was completed before: then the page does not move its user on. */
  completed: boolean;
}

/** The execution's steps, with the two switches that let it continue automatically. */
export default function ExecutionCard({ projectId, completed }: ExecutionCardProps) {
  const [retry, setRetry] = useStoredFlag(tabStorage, `groundcrew:auto-retry-on:${projectId}`);
  const [kept, keep] = useUpTo(projectId);
  const known = useQueryClient().getQueryData<Progress>(progressKey(projectId))?.autonomy;
  const progress = useQuery(progressQuery(projectId, known === "run_all" || retry || kept.upTo > 0));
  const plan = progress.data?.id ?? undefined;
  const chosen = plan !== undefined && kept.plan === plan ? kept.upTo : 0;
  const track = useMemo(() => executionTrack(projectId), [projectId]);
  const autonomy = useAutonomy(track, progress.data, `groundcrew:auto-approve:${projectId}`);
  const { level, all } = autonomy;
  const roomy = useMedia(ROOMY);
  const upTo = all ? ALL_STEPS : chosen;
  const open = upToOf(progress.data?.steps ?? [], chosen);
  const meaning = [
    meaningOf(level, "Commands"),
    !all && open > 0 && `Steps run without asking you up to step ${open}.`,
  ]
    .filter(Boolean)
    .join(" ");
  const actions = useStepActions(track);
  useAutopilot({ projectId, progress: progress.data, upTo, retry, act: actions.act });
  return (
    <Card label="Execution progress">
      {progress.isPending && <StepListSkeleton label="Loading execution progress..." />}
      {progress.isError && !progress.data && (
        <Failure
          title={
            progress.error instanceof NoStepsData
              ? progress.error.message
              : "Failed to load execution progress"
          }
          {...(progress.error instanceof NoStepsData ? {} : { error: progress.error })}
          retry={() => void progress.refetch()}
        />
      )}
      {progress.data && (
        <StepsPane
          foot={
            !isRolledBack(progress.data.rollback) &&
            allCompleted(progress.data.steps, progress.data.totalSteps) ? (
              <ToValidation projectId={projectId} completed={completed} automatic={all && !completed} />
            ) : (
              roomy && <RunningBar progress={progress.data} actions={actions} />
            )
          }
        >
          <Summary title="Execution" progress={progress.data}>
            <EstimateLine
              projectId={projectId}
              stamp={endedRuns(progress.data.steps)}
              done={allCompleted(progress.data.steps, progress.data.totalSteps)}
              className="has-[[open]]:basis-full"
            />
          </Summary>
          <OldSteps projectId={projectId} />
          <RollBack projectId={projectId} progress={progress.data} />
          <ApprovalBar
            autonomy={autonomy}
            switches={<Toggle label="Auto-Retry Failed Steps" on={retry} onChange={setRetry} />}
            meaning={meaning}
          >
            {!all && (
              <UpTo steps={progress.data.steps} upTo={chosen} onChange={(upTo) => keep({ plan, upTo })} />
            )}
            <NotifyToggle />
          </ApprovalBar>
          <StepList
            track={track}
            progress={progress.data}
            actions={actions}
            empty={
              <Empty title="No execution steps available">
                They appear once the execution has been started from the plan.
              </Empty>
            }
          />
        </StepsPane>
      )}
    </Card>
  );
}
