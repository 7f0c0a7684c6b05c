import { Link } from "react-router";
import type { Project } from "../../api/projects";
import type { PassedProject } from "../../lib/project-route";
import { shortDate } from "../../lib/time";
import { paths } from "../../paths";

export function ProjectCard({ project }: { project: Project }) {
  const passed: PassedProject = { project, skipLoading: true };
  return (
    <li>
      <Link
        to={paths.project(project.id)}
        state={passed}
        className="flex h-full min-h-36 flex-col rounded-card border border-line bg-surface p-4.5 no-underline shadow-[0_8px_18px_-16px_rgb(0_0_0/0.3)] transition-colors duration-150 hover:border-line-strong"
      >
        <h2 className="line-clamp-2 break-words text-lead">{project.name}</h2>
        <p className="mt-1 line-clamp-2 text-ink-2 text-note">{project.description || "No description"}</p>
        <dl className="mt-auto flex gap-6 pt-4 text-small">
          <div>
            <dt className="label">Created</dt>
            <dd>{shortDate(project.created_at)}</dd>
          </div>
          <div>
            <dt className="label">Last Updated</dt>
            <dd>{shortDate(project.updated_at)}</dd>
          </div>
        </dl>
      </Link>
    </li>
  );
}
