import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { auditCsv, auditQuery } from "../api/audit";
import { problemText } from "../api/errors";
import { projectQuery } from "../api/projects";
import { DeleteProject } from "../audit/delete-project";
import { AuditList } from "../audit/list";
import { backFrom, paths } from "../lib/paths";
import { saveAs } from "../lib/save";
import { useProjectRoute } from "../project/route";
import { ProjectPage } from "../shell/project-page";
import { BackLink } from "../ui/back-link";
import { Button, buttonClass } from "../ui/button";
import { Empty, Failure, Problem, Skeleton } from "../ui/states";

/** The decisions in a project, and the runs that followed from them. */
export function Component() {
  const { projectId } = useProjectRoute();
  const returnTo = useSearchParams()[0].get("returnTo");
  const project = useQuery(projectQuery(projectId));
  const audit = useQuery(auditQuery(projectId));
  const csv = useMutation({
    mutationFn: () => auditCsv(projectId),
    onSuccess: (text) => saveAs(`${projectId}-audit.csv`, new Blob([text], { type: "text/csv" })),
  });
  const json = () =>
    saveAs(
      `${projectId}-audit.json`,
      new Blob([JSON.stringify(audit.data, null, 2)], { type: "application/json" }),
    );
  const none = !audit.data || audit.data.length === 0;
  return (
    <ProjectPage project={project.data} title="Audit">
      <BackLink to={backFrom(projectId, returnTo)}>Back</BackLink>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 max-narrow:w-full">
          <h1 className="text-title">Audit</h1>
          <p className="text-ink-2">{project.data?.name ?? "\u00a0"}</p>
        </div>
        <div className="flex items-center gap-2">
          <Link
            to={paths.timeline(projectId, returnTo ?? undefined)}
            className={buttonClass("quiet", "small")}
          >
            Timeline
          </Link>
          <Button size="small" disabled={none} pending={csv.isPending} onClick={() => csv.mutate()}>
            <Download size={14} aria-hidden /> {csv.isPending ? "Preparing..." : "CSV"}
          </Button>
          <Button size="small" disabled={none} onClick={json}>
            <Download size={14} aria-hidden /> JSON
          </Button>
        </div>
      </div>
      {csv.isError && (
        <div className="mt-4">
          <Problem>The file could not be downloaded. {problemText(csv.error)}</Problem>
        </div>
      )}
      <section
        aria-label="Decisions and runs"
        className="mt-6 flex flex-col rounded-card border border-line bg-surface"
      >
        {audit.isPending && <ListSkeleton />}
        {audit.isError && !audit.data && (
          <Failure
            title="The audit could not be read"
            error={audit.error}
            retry={() => void audit.refetch()}
          />
        )}
        {audit.data?.length === 0 && (
          <Empty title="Nothing decided yet">
            Each approval, rejection and cancellation is kept here, with the command, the names of its
            credentials, and how its run ended.
          </Empty>
        )}
        {audit.data && audit.data.length > 0 && <AuditList entries={audit.data} />}
      </section>
      {project.data && !audit.isPending && <DeleteProject project={project.data} />}
    </ProjectPage>
  );
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading the audit" className="flex flex-col">
      {[0, 1, 2].map((line) => (
        <div
          key={line}
          className="flex min-h-14 flex-col justify-center gap-2 border-line border-b px-4.5 last:border-0"
        >
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  );
}
