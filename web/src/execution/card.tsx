import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { NoStepsData, progressQuery } from "../api/execution";
import { useStoredFlag } from "../lib/stored";
import { NotifyToggle } from "../turn/notify-toggle";
import { Card } from "../ui/card";
import { Empty, Failure } from "../ui/states";
import { Toggle } from "../ui/toggle";
import { allCompleted } from "./rules";
import { RunningBar } from "./running-bar";
import { StepList, StepListSkeleton, StepsPane } from "./step-list";
import { Summary } from "./summary";
import { ToValidation } from "./to-validation";
import { executionTrack } from "./track";
import { useAutopilot } from "./use-autopilot";
import { useStepActions } from "./use-step-actions";

interface ExecutionCardProps {
  projectId: number;
  /** The stage was left before; whoever comes back to it stays. */
  completed: boolean;
}

/** The execution's steps, and the two ways to let it go on by itself. */
export default function ExecutionCard({ projectId, completed }: ExecutionCardProps) {
  const [approve, setApprove] = useStoredFlag(sessionStorage, `groundcrew:auto-approve:${projectId}`);
  const [retry, setRetry] = useStoredFlag(sessionStorage, `groundcrew:auto-retry-on:${projectId}`);
  const progress = useQuery(progressQuery(projectId, approve || retry));
  const track = useMemo(() => executionTrack(projectId), [projectId]);
  const actions = useStepActions(track);
  useAutopilot({ projectId, progress: progress.data, approve, retry, act: actions.act });
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
            allCompleted(progress.data.steps, progress.data.totalSteps) ? (
              <ToValidation projectId={projectId} automatic={approve && !completed} />
            ) : (
              <RunningBar progress={progress.data} actions={actions} />
            )
          }
        >
          <Summary title="Execution" progress={progress.data} />
          <div className="flex shrink-0 flex-wrap gap-x-5 gap-y-2 border-line border-b px-4.5 py-2.25">
            <Toggle label="Auto-Approve All Steps" on={approve} onChange={setApprove} />
            <Toggle label="Auto-Retry Failed Steps" on={retry} onChange={setRetry} />
            <NotifyToggle />
            {approve && (
              <p className="basis-full text-ink-2 text-small">
                Commands run without asking you, in order, until this is off.
              </p>
            )}
          </div>
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
