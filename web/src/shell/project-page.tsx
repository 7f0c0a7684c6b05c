import type { ReactNode } from "react";
import { lazy } from "react";
import type { Project } from "../api/projects";
import { ProjectTitle } from "../attention/project-title";
import { lazyPart } from "../lib/lazy-part";
import { useProjectRoute } from "../project/route";
import { ProjectName, ReturnToProjects } from "./rail";
import { Shell } from "./shell";

const RunningStrip = lazy(lazyPart(() => import("../steps/running-strip")));

/** A page about a project outside its stages. */
export function ProjectPage({ project, title, children }: ProjectPageProps) {
  const { projectId } = useProjectRoute();
  return (
    <Shell
      foot={<RunningStrip projectId={projectId} />}
      bar={<span className="truncate font-[560]">{project?.name}</span>}
      rail={
        <>
          <ProjectName project={project} />
          <div className="mt-6" />
          <ReturnToProjects />
        </>
      }
    >
      <ProjectTitle projectId={projectId} text={`${title} · Groundcrew`} />
      <div className="mx-auto max-w-4xl px-6.5 py-6 max-narrow:px-4">{children}</div>
    </Shell>
  );
}

interface ProjectPageProps {
  project: Project | undefined;
  title: string;
  children: ReactNode;
}
