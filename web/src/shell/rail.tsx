import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, House } from "lucide-react";
import { Link } from "react-router";
import { costsQuery, type Project, type ProjectCosts } from "../api/projects";
import { cost } from "../lib/money";
import { paths } from "../lib/paths";
import { cx } from "../ui/class";
import { Skeleton } from "../ui/states";

/** The project's name and description, at the top of the rail. */
export function ProjectName({ project }: { project: Project | undefined }) {
  if (!project) {
    return (
      <div className="flex h-10.5 flex-col justify-between py-1" aria-hidden>
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-3 w-44" />
      </div>
    );
  }
  return (
    <div>
      <p dir="auto" className="break-words font-[620] font-display text-lead leading-snug">
        {project.name}
      </p>
      {project.description && (
        <p dir="auto" className="line-clamp-3 text-ink-2 text-note" title={project.description}>
          {project.description}
        </p>
      )}
    </div>
  );
}

const BOX_LINK = "mt-1 inline-block border-ink-3 border-b text-note no-underline hover:border-ink";
const STRIP_LINK =
  "flex min-h-8 shrink-0 items-center rounded-control underline decoration-line-strong underline-offset-3";

export function CostBox({ projectId, returnTo }: { projectId: number; returnTo?: string }) {
  const costs = useQuery(costsQuery(projectId));
  return (
    <div className="rounded-card border border-line bg-surface px-3.5 py-3 shadow-[0_8px_18px_-16px_rgb(0_0_0/0.3)]">
      <p className="label">Project cost</p>
      <p className="mt-0.5 font-[620] font-display text-[20px] leading-snug" style={{ fontStretch: "108%" }}>
        {costs.isPending ? <Skeleton className="my-1 h-5 w-20" /> : shownCost(costs.data)}
      </p>
      <Link to={paths.costs(projectId, returnTo)} className={BOX_LINK}>
        View Details
      </Link>
      <Link to={paths.timeline(projectId, returnTo)} className={cx(BOX_LINK, "ml-3.5")}>
        Timeline
      </Link>
      <Link to={paths.audit(projectId, returnTo)} className={cx(BOX_LINK, "ml-3.5")}>
        Audit
      </Link>
    </div>
  );
}

/** A known cost; empty if it could not be read. */
const shownCost = (costs: ProjectCosts | undefined) => (costs ? `$${cost(costs.total_cost)}` : "\u00a0");

/** The rail's content about the project, on one line, for windows without a rail. */
export function ProjectStrip({ projectId, project, returnTo }: ProjectStripProps) {
  const costs = useQuery(costsQuery(projectId));
  return (
    <div className="flex shrink-0 items-center gap-1 px-3.5 pt-1.5 text-note narrow:hidden print:hidden!">
      <Link
        to={paths.landing()}
        aria-label="Return to Projects"
        className="-ml-2 grid size-8 shrink-0 place-items-center rounded-control text-ink-2"
      >
        <ArrowLeft size={16} aria-hidden />
      </Link>
      <span className="min-w-0 flex-1 truncate font-[560]">{project?.name}</span>
      <Link to={paths.costs(projectId, returnTo)} className={cx(STRIP_LINK, "relative")}>
        {costs.data ? shownCost(costs.data) : "Costs"}
        <span className="sr-only"> project cost, view details</span>
      </Link>
      <Link to={paths.timeline(projectId, returnTo)} className={cx(STRIP_LINK, "ml-2.5")}>
        Timeline
      </Link>
      <Link to={paths.audit(projectId, returnTo)} className={cx(STRIP_LINK, "ml-2.5")}>
        Audit
      </Link>
    </div>
  );
}

interface ProjectStripProps {
  projectId: number;
  project: Project | undefined;
  returnTo?: string;
}

/** The link to the project's home, after all of its stages. */
export function ToHome({ projectId }: { projectId: number }) {
  return (
    <Link
      to={paths.home(projectId)}
      className="mb-3 inline-flex w-fit items-center gap-1.5 rounded-control font-[550] text-note no-underline hover:underline"
    >
      <House size={14} aria-hidden /> Project Home
    </Link>
  );
}

export function ReturnToProjects() {
  return (
    <Link
      to={paths.landing()}
      className="inline-flex w-fit items-center gap-1.5 rounded-control font-[550] text-ink-2 text-note no-underline hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden /> Return to Projects
    </Link>
  );
}
