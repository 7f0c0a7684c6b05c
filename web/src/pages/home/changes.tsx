import { useQuery } from "@tanstack/react-query";
import { auditQuery } from "../../api/audit";
import { type Change, changesQuery } from "../../api/changes";
import { executedSteps } from "../../audit/executed";
import { ChangeForm } from "../../changes/change-form";
import { ChangeList } from "../../changes/change-list";
import { TearDown } from "../../changes/tear-down";
import { counted } from "../../lib/text";
import { useProjectRoute } from "../../project/route";
import { Card, CardHeader } from "../../ui/card";
import { KeptScroll } from "../../ui/kept-scroll";
import { Pill } from "../../ui/pill";
import { DocumentSkeleton, Failure } from "../../ui/states";

/** A project as a list of changes, with a way to begin another one. */
export function Component() {
  const { projectId } = useProjectRoute();
  const changes = useQuery(changesQuery(projectId));
  const all = changes.data ?? [];
  const current = all.find((change) => change.is_current);
  return (
    <Card label="Changes" className="flex-1">
      <CardHeader title="Changes">
        {changes.data && <Pill tone="idle">{counted(all.length, "change")}</Pill>}
      </CardHeader>
      <KeptScroll
        label="Changes"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        {changes.isPending && <DocumentSkeleton label="Loading the changes..." />}
        {changes.isError && !changes.data && (
          <Failure
            title="The changes could not be read"
            error={changes.error}
            retry={() => void changes.refetch()}
          />
        )}
        {current && (
          <div className="border-line border-b">
            {current.status === "completed" && current.kind === "tear_down" ? (
              <p className="px-4.5 py-4 text-ink-2">
                This project is torn down. Duplicate it in the list of projects to build it again.
              </p>
            ) : current.status === "completed" ? (
              <>
                <ChangeForm projectId={projectId} />
                <TearDown projectId={projectId} />
              </>
            ) : (
              <UnderWay projectId={projectId} change={current} />
            )}
          </div>
        )}
        {changes.data && <ChangeList projectId={projectId} changes={all} />}
      </KeptScroll>
    </Card>
  );
}

/** The actions for an incomplete change: once a step has run, everything can be torn down. */
function UnderWay({ projectId, change }: { projectId: number; change: Change }) {
  const audit = useQuery(auditQuery(projectId));
  const ran = executedSteps(audit.data ?? [], change.begun_at) > 0;
  const next = ran ? "Complete it, or roll it back in its execution," : "Complete or abandon it";
  return (
    <>
      <p className="px-4.5 py-4 text-ink-2">
        {change.number === 1
          ? "You can change this project once all of its stages are completed."
          : `Change ${change.number} is under way. ${next} before you begin another.`}
      </p>
      {ran && change.kind === "change" && <TearDown projectId={projectId} />}
    </>
  );
}
