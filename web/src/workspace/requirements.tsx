import { useMutation, useQuery } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { requirementsQuery, triggerPlan } from "../api/planning";
import { CredentialsBar } from "../credentials/bar";
import { Button } from "../ui/button";
import { Card, CardFooter, CardHeader } from "../ui/card";
import { Pill } from "../ui/pill";
import { DocumentSkeleton, Empty, Failure, Problem } from "../ui/states";
import { Document } from "./document";
import { STAGE } from "./stages";
import { useAdvance } from "./use-stages";

/** What the agent has understood so far, and the way on once it has understood everything. */
export function RequirementsCard({ projectId }: { projectId: number }) {
  const requirements = useQuery(requirementsQuery(projectId));
  const advance = useAdvance(projectId);
  const confirm = useMutation({
    mutationFn: async () => {
      await triggerPlan("architecture").catch((error: unknown) =>
        console.error("The architecture plan could not be asked for", error),
      );
      await advance(STAGE.requirements, STAGE.architecture);
    },
  });
  const { data } = requirements;
  const ready = data?.ready_to_continue === true;
  const busy = confirm.isPending || confirm.isSuccess;
  return (
    <Card label="Current requirements">
      <CardHeader title="Current requirements">
        {data && (ready ? <Pill tone="ok">complete</Pill> : <Pill tone="idle">gathering</Pill>)}
      </CardHeader>
      {requirements.isPending && <DocumentSkeleton label="Loading requirements..." />}
      {requirements.isError && !data && (
        <Failure
          title="Error loading requirements"
          error={requirements.error}
          retry={() => void requirements.refetch()}
        />
      )}
      {data && data.content === "" && (
        <Empty title="No requirements yet">Requirements appear here as you agree on them.</Empty>
      )}
      {data && data.content !== "" && <Document label="Requirements" text={data.content} />}
      <CredentialsBar projectId={projectId} />
      <CardFooter>
        {confirm.isError && (
          <div className="basis-full">
            <Problem>{problemText(confirm.error)}</Problem>
          </div>
        )}
        {ready && <span className="text-ink-2 text-small">Next, the architect drafts a plan.</span>}
        <Button
          kind="signal"
          className="ml-auto max-w-full shrink whitespace-normal py-1.5"
          disabled={!ready || requirements.isError || busy}
          onClick={() => confirm.mutate()}
        >
          {busy
            ? "Generating Architecture Plan..."
            : ready || !data
              ? "Confirm Requirements & Continue"
              : "You can continue only after the agent is clear about the requirements"}
        </Button>
      </CardFooter>
    </Card>
  );
}
