import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { NoStepsData, type Progress } from "../api/execution";
import { checksKey, checksQuery } from "../api/validation";
import { NotifyToggle } from "../attention/notify-toggle";
import { ROOMY, useMedia } from "../lib/media";
import { ApprovalBar } from "../steps/approval-bar";
import { meaningOf } from "../steps/ask-about";
import { ALL_STEPS, allCompleted, hasStarted } from "../steps/rules";
import { RunningBar } from "../steps/running-bar";
import { StepList, StepListSkeleton, StepsPane } from "../steps/step-list";
import { Summary } from "../steps/summary";
import { validationTrack } from "../steps/track";
import { useAutonomy } from "../steps/use-autonomy";
import { useAutopilot } from "../steps/use-autopilot";
import { type StepActions, useStepActions } from "../steps/use-step-actions";
import { Card } from "../ui/card";
import { Empty, Failure } from "../ui/states";
import { StartChecks } from "./start-checks";
import { useRetrigger } from "./use-retrigger";
import { Validated } from "./validated";

interface ValidationCardProps {
  projectId: number;
  /** Whether the stage is completed. */
  completed: boolean;
}

/** The checks, the output of each, and what follows when all have passed. */
export default function ValidationCard({ projectId, completed }: ValidationCardProps) {
  const known = useQueryClient().getQueryData<Progress>(checksKey(projectId))?.autonomy;
  const checks = useQuery(checksQuery(projectId, known === "run_all"));
  const track = useMemo(() => validationTrack(projectId), [projectId]);
  const autonomy = useAutonomy(track, checks.data, `groundcrew:auto-approve-checks:${projectId}`);
  const { level, all } = autonomy;
  const actions = useStepActions(track);
  useAutopilot({
    projectId,
    progress: checks.data,
    upTo: all ? ALL_STEPS : 0,
    retry: false,
    act: actions.act,
  });
  const retriggered = useRetrigger(projectId, checks.data);
  return (
    <Card label="Validation progress">
      {checks.isPending && <StepListSkeleton label="Loading validation progress..." />}
      {checks.isError && !checks.data && (
        <Failure
          title={
            checks.error instanceof NoStepsData ? checks.error.message : "Failed to load validation progress"
          }
          {...(checks.error instanceof NoStepsData ? {} : { error: checks.error })}
          retry={() => void checks.refetch()}
        />
      )}
      {checks.data && (
        <StepsPane
          foot={<Foot projectId={projectId} completed={completed} progress={checks.data} actions={actions} />}
        >
          <Summary title="Validation" progress={checks.data} />
          <ApprovalBar
            autonomy={autonomy}
            meaning={
              meaningOf(level, "Checks") ??
              (retriggered && "A check failed: validation was triggered again automatically.")
            }
          >
            <NotifyToggle />
          </ApprovalBar>
          <StepList track={track} progress={checks.data} actions={actions} empty={<NoChecks />} />
        </StepsPane>
      )}
    </Card>
  );
}

function NoChecks() {
  return (
    <Empty title="No validation steps available">
      They come from the validation plan. If there is none yet, ask the validator for it in the chat.
    </Empty>
  );
}

interface FootProps extends ValidationCardProps {
  progress: Progress;
  actions: StepActions;
}

/** The actions for all checks together. */
function Foot({ projectId, completed, progress, actions }: FootProps) {
  const roomy = useMedia(ROOMY);
  if (allCompleted(progress.steps, progress.totalSteps)) {
    return <Validated projectId={projectId} completed={completed} checks={progress.steps} />;
  }
  if (hasStarted(progress.steps)) return roomy && <RunningBar progress={progress} actions={actions} />;
  return <StartChecks projectId={projectId} />;
}
