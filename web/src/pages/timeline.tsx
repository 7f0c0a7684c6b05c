import { useQueries, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { type AuditEntry, auditQuery } from "../api/audit";
import { changesQuery } from "../api/changes";
import { type DocumentId, versionsQuery } from "../api/documents";
import { breakdownQuery, projectQuery } from "../api/projects";
import { backFrom } from "../lib/paths";
import { useProjectRoute } from "../project/route";
import { ProjectPage } from "../shell/project-page";
import { timeline } from "../timeline/events";
import { Export } from "../timeline/export";
import { Printed } from "../timeline/printed";
import { DaysOrReplay, ReplayButton, useReplay } from "../timeline/replay";
import { ShareButton } from "../timeline/share";
import { BackLink } from "../ui/back-link";
import { DocumentSkeleton, Empty, Failure } from "../ui/states";

const DOCUMENTS: DocumentId[] = [
  "requirements",
  "architecture",
  "implementation",
  "validation",
  "documentation",
];

/** The history of a project: documents, approvals, runs, their output and their costs. */
export function Component() {
  const { projectId } = useProjectRoute();
  const returnTo = useSearchParams()[0].get("returnTo");
  const project = useQuery(projectQuery(projectId));
  const audit = useQuery(auditQuery(projectId));
  const costs = useQuery(breakdownQuery(projectId));
  const versions = useQueries({ queries: DOCUMENTS.map((document) => versionsQuery(projectId, document)) });
  const changes = useQuery(changesQuery(projectId));
  const replay = useReplay();
  const failed = [audit, costs, changes, ...versions].find(({ isError, data }) => isError && !data);
  const written = versions.map(({ data }, at) => ({
    document: DOCUMENTS[at] ?? "requirements",
    versions: data?.versions ?? [],
  }));
  const pending =
    audit.isPending || costs.isPending || changes.isPending || versions.some(({ isPending }) => isPending);
  const days = pending
    ? []
    : timeline({
        audit: audit.data ?? [],
        versions: written,
        costs: costs.data?.by_day ?? [],
        changes: changes.data ?? [],
      });
  const printed = (entry: AuditEntry) => <Printed projectId={projectId} entry={entry} />;
  return (
    <ProjectPage project={project.data} title="Timeline">
      <BackLink to={backFrom(projectId, returnTo)}>Back</BackLink>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-title">Timeline</h1>
          <p className="text-ink-2">{project.data?.name ?? "\u00a0"}</p>
        </div>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <ReplayButton replay={replay} disabled={pending || failed !== undefined || days.length === 0} />
          <ShareButton projectId={projectId} />
          <Export
            project={{ id: projectId, name: project.data?.name ?? "" }}
            days={pending || failed || !project.data ? undefined : days}
            versions={written}
            changes={changes.data ?? []}
          />
        </div>
      </div>
      {failed ? (
        <Failure
          title="The timeline could not be read"
          error={failed.error}
          retry={() => void failed.refetch()}
        />
      ) : pending ? (
        <DocumentSkeleton label="Loading the timeline..." />
      ) : days.length === 0 ? (
        <Empty title="Nothing has happened yet">
          What is written, approved and run is listed here by day, with what each day cost.
        </Empty>
      ) : (
        <DaysOrReplay replay={replay} days={days} printed={printed} />
      )}
    </ProjectPage>
  );
}
