import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "../api/errors";
import { requirementsQuery } from "../api/planning";
import { REQUIREMENTS_NOT_READY } from "../api/texts";
import { CredentialsBar } from "../credentials/bar";
import { MissingCredentials } from "../credentials/missing";
import { useChecklist } from "../credentials/use-checklist";
import { Document } from "../stages/document";
import { STAGE } from "../stages/stages";
import { TryCredentials } from "../trial/try-credentials";
import { Button, completing } from "../ui/button";
import { Card, CardFooter, CardHeader } from "../ui/card";
import { Pill } from "../ui/pill";
import { DocumentSkeleton, Empty, Failure, Problem } from "../ui/states";
import { VersionsButton } from "../versions/versions-button";
import { WriteAnew } from "../versions/write-anew";
import { useConfirm } from "./use-confirm";

/** What the agent has understood so far, and the next action once it has understood everything. */
export function RequirementsCard({ projectId, completed }: { projectId: number; completed: boolean }) {
  const requirements = useQuery(requirementsQuery(projectId));
  const { confirm, error, busy, asks } = useConfirm(projectId, STAGE.requirements, STAGE.architecture);
  const { needed, unread, reading, read } = useChecklist(projectId);
  const missing = needed.filter(({ given }) => !given);
  const [warned, setWarned] = useState(false);
  const [entering, setEntering] = useState(false);
  const { data } = requirements;
  const ready = data?.ready_to_continue === true;
  return (
    <Card label="Current requirements">
      <CardHeader title="Current requirements">
        <span className="flex items-center gap-2">
          <VersionsButton projectId={projectId} document="requirements" />
          {data && (ready ? <Pill tone="ok">complete</Pill> : <Pill tone="idle">gathering</Pill>)}
        </span>
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
      <CredentialsBar
        projectId={projectId}
        open={entering}
        onOpen={setEntering}
        trial={(set) => <TryCredentials projectId={projectId} set={set} />}
      />
      <CardFooter>
        {error && (
          <div className="basis-full">
            <Problem>{problemText(error)}</Problem>
          </div>
        )}
        {ready && <span className="text-ink-2 text-small">Next, the architect drafts a plan.</span>}
        <Button
          kind={completing(completed)}
          className="ml-auto max-w-full shrink whitespace-normal py-1.5"
          disabled={!ready || requirements.isError}
          pending={busy}
          onClick={missing.length > 0 ? () => setWarned(true) : confirm}
        >
          {busy
            ? "Generating Architecture Plan..."
            : ready || !data
              ? "Confirm Requirements & Continue"
              : REQUIREMENTS_NOT_READY}
        </Button>
      </CardFooter>
      {warned && missing.length > 0 && (
        <MissingCredentials
          missing={missing}
          unread={unread}
          reading={reading}
          onRead={read}
          onClose={() => setWarned(false)}
          onEnter={() => {
            setWarned(false);
            setEntering(true);
          }}
          onContinue={() => {
            setWarned(false);
            confirm();
          }}
        />
      )}
      {asks && <WriteAnew {...asks} />}
    </Card>
  );
}
