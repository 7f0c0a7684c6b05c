import { useMutation, useQuery } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { planQuery, triggerPlan } from "../api/planning";
import { Button } from "../ui/button";
import { CardFooter } from "../ui/card";
import { Problem } from "../ui/states";
import { PlanCard } from "./plan-card";
import { STAGE } from "./stages";
import { useAdvance } from "./use-stages";

export function ArchitecturePlanCard({ projectId }: { projectId: number }) {
  const plan = useQuery(planQuery(projectId, "architecture"));
  const advance = useAdvance(projectId);
  const confirm = useMutation({
    mutationFn: async () => {
      await triggerPlan("implementation").catch((error: unknown) =>
        console.error("The implementation plan could not be asked for", error),
      );
      await advance(STAGE.architecture, STAGE.implementation);
    },
  });
  const busy = confirm.isPending || confirm.isSuccess;
  const readable = plan.data !== undefined && plan.data.text !== "" && plan.data.status !== "generating";
  return (
    <PlanCard projectId={projectId} kind="architecture" plan={plan}>
      <CardFooter>
        {confirm.isError && (
          <div className="basis-full">
            <Problem>{problemText(confirm.error)}</Problem>
          </div>
        )}
        <span className="text-ink-2 text-small">Next, the planner drafts the steps.</span>
        <Button
          kind="signal"
          className="ml-auto"
          disabled={plan.isPending || plan.isError || !readable || busy}
          onClick={() => confirm.mutate()}
        >
          {busy ? "Generating Implementation Plan..." : "Confirm Architecture & Continue"}
        </Button>
      </CardFooter>
    </PlanCard>
  );
}
