import { Link } from "react-router";
import type { ListedProject } from "../../api/projects";
import { cost } from "../../lib/money";
import { paths } from "../../lib/paths";
import { shortDate } from "../../lib/time";
import type { PassedProject } from "../../project/route";
import { containerLabel } from "../../sandbox/container";
import { cx } from "../../ui/class";
import { Pill } from "../../ui/pill";
import { ProjectMenu } from "./project-menu";
import { type ProjectStatus, STAGES, statusOf } from "./project-status";

export function ProjectCard({ project, onGone }: { project: ListedProject; onGone: () => void }) {
  const passed: PassedProject = { project, skipLoading: true };
  const status = statusOf(project);
  return (
    <li className="relative">
      <Link
        to={paths.project(project.id)}
        state={passed}
        data-waits={status.waits ? "" : undefined}
        className={cx(
          "flex h-full min-h-40 flex-col rounded-card border bg-surface p-4.5 no-underline shadow-[0_8px_18px_-16px_rgb(0_0_0/0.3)] transition-colors duration-150",
          status.tone === "signal" ? "border-signal" : "border-line hover:border-line-strong",
        )}
      >
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <h2 dir="auto" className="line-clamp-2 min-w-0 break-words text-lead">
            {project.name}
          </h2>
          <Pill tone={status.tone} live={status.tone === "run"}>
            {status.text}
          </Pill>
        </div>
        <p dir="auto" className="mt-1 line-clamp-2 text-ink-2 text-note">
          {project.description || "No description"}
        </p>
        <StageBar project={project} status={status} />
        <dl className="mt-auto grid grid-cols-[repeat(auto-fill,minmax(84px,1fr))] gap-x-4 gap-y-1.5 pt-4 pr-8 text-small">
          <Fact name="Created">{shortDate(project.created_at)}</Fact>
          <Fact name="Last Updated">{shortDate(project.updated_at)}</Fact>
          <Fact name="Cost">${cost(project.total_cost)}</Fact>
          <Fact name="Sandbox">{containerLabel(project.container_status)}</Fact>
        </dl>
      </Link>
      <ProjectMenu project={project} onGone={onGone} />
    </li>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="label">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The project's progress: a segment for each stage. */
function StageBar({ project, status }: { project: ListedProject; status: ProjectStatus }) {
  const here = { signal: "bg-signal", bad: "bg-bad", run: "bg-run", ok: "bg-ok", idle: "bg-line-strong" };
  return (
    <p className="mt-3 flex gap-1.5">
      <span className="sr-only">
        {project.stages_completed} of {STAGES} stages completed
      </span>
      {Array.from({ length: STAGES }, (_, stage) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a stage is its place.
          key={stage}
          aria-hidden
          data-bar={stage < project.stages_completed ? "full" : "empty"}
          className={cx(
            "h-1 flex-1 rounded-full",
            stage < project.stages_completed
              ? "bg-ok"
              : stage === project.stages_completed
                ? here[status.tone]
                : "bg-line",
          )}
        />
      ))}
    </p>
  );
}
