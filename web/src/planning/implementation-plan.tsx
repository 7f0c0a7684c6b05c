import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { documentsKey, documentsQuery } from "../api/documents";
import { problemText } from "../api/errors";
import { type Progress, progressQuery, triggerExecution } from "../api/execution";
import { planQuery } from "../api/planning";
import { initializeSandbox, readSandbox } from "../api/sandbox";
import { EstimateLine } from "../execution/estimate";
import { pause } from "../lib/pause";
import { installationId } from "../lib/session";
import { useLeaving } from "../lib/use-leaving";
import { useOnce } from "../lib/use-once";
import { ToStage } from "../stages/stage-link";
import { STAGE } from "../stages/stages";
import { concernsCredentials, startExecution } from "../stages/start-execution";
import { useAdvance } from "../stages/use-stages";
import { Button, completing } from "../ui/button";
import { Card, CardFooter } from "../ui/card";
import { Empty, Problem } from "../ui/states";
import { ReplaceSteps } from "../versions/replace-steps";
import { PlanCard } from "./plan-card";

interface ImplementationPlanProps {
  projectId: number;
  /** Whether the stage is completed. */
  completed: boolean;
}

export function ImplementationPlanCard({ projectId, completed }: ImplementationPlanProps) {
  if (!Number.isSafeInteger(projectId)) {
    const text = `Invalid project ID: ${projectId}. Please ensure you're viewing a valid project.`;
    return (
      <Card label="Implementation plan">
        <Empty title={text} />
      </Card>
    );
  }
  return <ImplementationPlan projectId={projectId} completed={completed} />;
}

function ImplementationPlan({ projectId, completed }: ImplementationPlanProps) {
  const plan = useQuery(planQuery(projectId, "implementation"));
  const { start, status } = useStartExecution(projectId, plan.data?.id);
  const queries = useQueryClient();
  const [replaces, setReplaces] = useState<Progress>();
  const look = useMutation({
    mutationFn: async () => {
      const documents = await queries.fetchQuery({ ...documentsQuery(projectId), staleTime: 0 });
      const other = documents.steps_out_of_date === STAGE.implementation;
      return other ? queries.fetchQuery({ ...progressQuery(projectId), staleTime: 0 }) : undefined;
    },
    onSuccess: (progress) => {
      if (progress) setReplaces(progress);
      else start.mutate(true);
    },
  });
  const answer = (write: boolean) => {
    setReplaces(undefined);
    start.mutate(write);
  };
  const busy = look.isPending || start.isPending || start.isSuccess;
  const readable = plan.data !== undefined && plan.data.text !== "" && plan.data.status !== "generating";
  return (
    <PlanCard projectId={projectId} kind="implementation" plan={plan}>
      {readable && (
        <EstimateLine
          projectId={projectId}
          stamp={plan.data.updatedAt ?? ""}
          className="max-h-2/5 shrink-0 overflow-y-auto border-line border-t px-4.5 py-2 text-note"
        />
      )}
      <CardFooter>
        {look.isError && (
          <div className="basis-full">
            <Problem>{problemText(look.error)}</Problem>
          </div>
        )}
        {start.isError && <StartProblem projectId={projectId} message={problemText(start.error)} />}
        <span role="status" className="text-ink-2 text-small [&>span]:block">
          {status.length === 0 && "Next, your sandbox starts."}
          {status.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
        <Button
          kind={completing(completed)}
          className="ml-auto"
          disabled={plan.isPending || plan.isError || !readable}
          pending={busy}
          onClick={() => look.mutate()}
        >
          {busy ? "Initializing Sandbox Environment..." : "Confirm Plan & Start Execution"}
        </Button>
      </CardFooter>
      {replaces && (
        <ReplaceSteps
          progress={replaces}
          onClose={() => setReplaces(undefined)}
          onKeep={() => answer(false)}
          onReplace={() => answer(true)}
        />
      )}
    </PlanCard>
  );
}

function useStartExecution(projectId: number, planId: string | undefined) {
  const queries = useQueryClient();
  const [container, setContainer] = useState<string>();
  const [doing, setDoing] = useState<string>();
  const advance = useAdvance(projectId);
  const leaving = useLeaving();
  const start = useOnce({
    mutationFn: async (begin: boolean) => {
      if (!begin) return advance(STAGE.implementation, STAGE.execution);
      if (!installationId()) throw new Error("No installation ID found");
      await startExecution({
        readStatus: () => readSandbox(projectId),
        initialize: () => initializeSandbox(projectId),
        trigger: () => triggerExecution(planId),
        complete: () => advance(STAGE.implementation, STAGE.execution),
        found: setContainer,
        say: setDoing,
        wait: (milliseconds) => pause(milliseconds, leaving()),
      });
    },
    onMutate: () => setContainer(undefined),
    onSuccess: () => queries.invalidateQueries({ queryKey: documentsKey(projectId) }),
    onError: () => {
      setContainer(undefined);
      setDoing(undefined);
    },
  });
  return { start, status: [container, doing].filter((line) => line !== undefined) };
}

function StartProblem({ projectId, message }: { projectId: number; message: string }) {
  return (
    <div className="flex basis-full flex-col gap-2">
      <Problem>{message}</Problem>
      {concernsCredentials(message) && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-ink-2 text-note">
          Cloud provider credentials are collected during requirements gathering.
          <ToStage projectId={projectId} from={STAGE.implementation} to={STAGE.requirements}>
            Return to Requirements
          </ToStage>
        </div>
      )}
    </div>
  );
}
