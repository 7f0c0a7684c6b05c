import type { ReactNode } from "react";
import type { Project } from "../api/projects";
import { ProjectName, ReturnToProjects } from "./rail";
import { Shell } from "./shell";

/** A page about a project outside its stages. */
export function ProjectPage({ project, title, children }: ProjectPageProps) {
  return (
    <Shell
      bar={<span className="truncate font-[560]">{project?.name}</span>}
      rail={
        <>
          <ProjectName project={project} />
          <div className="mt-6" />
          <ReturnToProjects />
        </>
      }
    >
      <title>{`${title} · Groundcrew`}</title>
      <div className="mx-auto max-w-4xl px-6.5 py-6 max-narrow:px-4">{children}</div>
    </Shell>
  );
}

interface ProjectPageProps {
  project: Project | undefined;
  title: string;
  children: ReactNode;
}
