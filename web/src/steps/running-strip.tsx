import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { progressQuery } from "../api/execution";
import { projectStateQuery } from "../api/project-states";
import { checksQuery } from "../api/validation";
import { ROOMY, useMedia } from "../lib/media";
import { currentStage } from "../stages/stages";
import { RunningBar } from "./running-bar";
import { executionTrack, validationTrack } from "./track";
import { useStepActions } from "./use-step-actions";

type Steps = "execution" | "validation";

interface RunningStripProps {
  projectId: number;
  /** The stage on the page. */
  viewed?: string | undefined;
}

/** What is running in the project, its elapsed time and its Cancel, on every page where no card shows them. */
export default function RunningStrip({ projectId, viewed }: RunningStripProps) {
  const current = useQuery({ ...projectStateQuery(projectId), select: currentStage }).data?.stage_id;
  const roomy = useMedia(ROOMY);
  const stages = [...new Set([current, viewed])].filter(hasSteps);
  // In a roomy window the card of the steps shows them.
  return stages
    .filter((stage) => !(roomy && stage === viewed))
    .map((stage) => <Strip key={stage} projectId={projectId} at={stage} />);
}

const hasSteps = (stage: string | undefined): stage is Steps =>
  stage === "execution" || stage === "validation";

function Strip({ projectId, at }: { projectId: number; at: Steps }) {
  const steps = useQuery({ ...progressQuery(projectId), enabled: at === "execution" });
  const checks = useQuery({ ...checksQuery(projectId), enabled: at === "validation" });
  const track = useMemo(
    () => (at === "execution" ? executionTrack(projectId) : validationTrack(projectId)),
    [at, projectId],
  );
  const actions = useStepActions(track);
  const progress = at === "execution" ? steps.data : checks.data;
  return progress && <RunningBar progress={progress} actions={actions} />;
}
