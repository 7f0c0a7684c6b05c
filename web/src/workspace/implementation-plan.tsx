import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { problemText } from "../api/errors";
import { triggerExecution } from "../api/execution";
import { planQuery } from "../api/planning";
import { initializeSandbox, readSandbox } from "../api/sandbox";
import { installationId } from "../session";
import { Button } from "../ui/button";
import { Card, CardFooter } from "../ui/card";
import { Empty, Problem } from "../ui/states";
import { PlanCard } from "./plan-card";
import { STAGE } from "./stages";
import { concernsCredentials, startExecution } from "./start-execution";
import { useAdvance, useGoToStage } from "./use-stages";

export function ImplementationPlanCard({ projectId }: { projectId: number }) {
  if (!Number.isSafeInteger(projectId)) {
    const text = `Invalid project ID: ${projectId}. Please ensure you're viewing a valid project.`;
    return (
      <Card label="Implementation plan">
        <Empty title={text} />
      </Card>
    );
  }
  return <ImplementationPlan projectId={projectId} />;
}

function ImplementationPlan({ projectId }: { projectId: number }) {
  const plan = useQuery(planQuery(projectId, "implementation"));
  const { start, status } = useStartExecution(projectId);
  const busy = start.isPending || start.isSuccess;
  const readable = plan.data !== undefined && plan.data.text !== "" && plan.data.status !== "generating";
  return (
    <PlanCard projectId={projectId} kind="implementation" plan={plan}>
      <CardFooter>
        {start.isError && <StartProblem projectId={projectId} message={problemText(start.error)} />}
        <span role="status" className="text-ink-2 text-small [&>span]:block">
          {status.length === 0 && "Next, your sandbox starts."}
          {status.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
        <Button
          kind="signal"
          className="ml-auto"
          disabled={plan.isPending || plan.isError || !readable || busy}
          onClick={() => start.mutate()}
        >
          {busy ? "Initializing Sandbox Environment..." : "Confirm Plan & Start Execution"}
        </Button>
      </CardFooter>
    </PlanCard>
  );
}

function useStartExecution(projectId: number) {
  const [container, setContainer] = useState<string>();
  const [doing, setDoing] = useState<string>();
  const advance = useAdvance(projectId);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const start = useMutation({
    mutationFn: async () => {
      if (!installationId()) throw new Error("No installation ID found");
      await startExecution({
        readStatus: () => readSandbox(projectId),
        initialize: () => initializeSandbox(projectId),
        trigger: triggerExecution,
        complete: () => advance(STAGE.implementation, STAGE.execution),
        found: setContainer,
        say: setDoing,
        wait: (milliseconds) => pause(milliseconds, leaving.current?.signal),
      });
    },
    onMutate: () => setContainer(undefined),
    onError: () => {
      setContainer(undefined);
      setDoing(undefined);
    },
  });
  return { start, status: [container, doing].filter((line) => line !== undefined) };
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("The page was left before the sandbox was ready"));
    });
  });
}

function StartProblem({ projectId, message }: { projectId: number; message: string }) {
  const go = useGoToStage(projectId, STAGE.implementation);
  return (
    <div className="flex basis-full flex-col gap-2">
      <Problem>{message}</Problem>
      {concernsCredentials(message) && (
        <div className="flex flex-wrap items-center justify-between gap-2 text-ink-2 text-note">
          Cloud provider credentials are collected during requirements gathering.
          <Button size="small" onClick={() => go(STAGE.requirements)}>
            Return to Requirements
          </Button>
        </div>
      )}
    </div>
  );
}
