import { useQuery } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { planQuery } from "../api/planning";
import { STAGE } from "../stages/stages";
import { Button, completing } from "../ui/button";
import { CardFooter } from "../ui/card";
import { Problem } from "../ui/states";
import { WriteAnew } from "../versions/write-anew";
import { PlanCard } from "./plan-card";
import { useConfirm } from "./use-confirm";

export function ArchitecturePlanCard({ projectId, completed }: { projectId: number; completed: boolean }) {
  const plan = useQuery(planQuery(projectId, "architecture"));
  const { confirm, error, busy, asks } = useConfirm(projectId, STAGE.architecture, STAGE.implementation);
  const readable = plan.data !== undefined && plan.data.text !== "" && plan.data.status !== "generating";
  return (
    <PlanCard projectId={projectId} kind="architecture" plan={plan}>
      <CardFooter>
        {error && (
          <div className="basis-full">
            <Problem>{problemText(error)}</Problem>
          </div>
        )}
        <span className="text-ink-2 text-small">Next, the planner drafts the steps.</span>
        <Button
          kind={completing(completed)}
          className="ml-auto"
          disabled={plan.isPending || plan.isError || !readable}
          pending={busy}
          onClick={confirm}
        >
          {busy ? "Generating Implementation Plan..." : "Confirm Architecture & Continue"}
        </Button>
      </CardFooter>
      {asks && <WriteAnew {...asks} />}
    </PlanCard>
  );
}
