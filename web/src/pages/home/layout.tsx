import { useQuery } from "@tanstack/react-query";
import { LayoutList } from "lucide-react";
import { lazy } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { isStatus } from "../../api/errors";
import { projectQuery } from "../../api/projects";
import { sandboxQuery } from "../../api/sandbox";
import { ProjectTitle } from "../../attention/project-title";
import { type DocumentationState, useDocumentation } from "../../documentation/use-documentation";
import { useFoundDrift } from "../../drift/found";
import { lazyPart } from "../../lib/lazy-part";
import { lastSegment, paths } from "../../lib/paths";
import { useProjectRoute } from "../../project/route";
import { CostBox, ProjectName, ProjectStrip, ReturnToProjects } from "../../shell/rail";
import { Shell } from "../../shell/shell";
import { buttonClass } from "../../ui/button";
import { FullPage } from "../../ui/full-page";
import { SandboxHeader } from "./sandbox-header";
import { SectionRail, SectionStrip } from "./sections";

const RunningStrip = lazy(lazyPart(() => import("../../steps/running-strip")));

/** The home of a built project: its sandbox on top, and sections with documentation and tools. */
export function Component() {
  const { projectId } = useProjectRoute();
  return <Home key={projectId} projectId={projectId} />;
}

function Home({ projectId }: { projectId: number }) {
  const project = useQuery(projectQuery(projectId));
  const sandbox = useQuery(sandboxQuery(projectId));
  const documentation = useDocumentation(projectId);
  const drift = useFoundDrift(projectId);
  const returnTo = lastSegment(useLocation().pathname);
  if (project.isError && (!project.data || isStatus(project.error, 404))) {
    return <ErrorScreen title="Failed to load project details" text={project.error.message} />;
  }
  const unread = documentation.is === "failed" && !documentation.loaded;
  if (unread && sandbox.isError && !sandbox.data) {
    return <ErrorScreen title="Error" text="Failed to load project data" />;
  }
  const sections = { projectId, configured: isConfigured(documentation), drifted: drift !== undefined };
  return (
    <Shell
      fixed
      foot={<RunningStrip projectId={projectId} />}
      bar={
        <Link
          to={paths.project(projectId)}
          className="inline-flex min-h-8 items-center gap-2 rounded-control px-1 font-[550] text-ink-2 text-note no-underline"
        >
          <LayoutList size={16} aria-hidden /> Stages
        </Link>
      }
      rail={
        <>
          <ProjectName project={project.data} />
          <div className="mt-5">
            <SectionRail {...sections} />
          </div>
          <div className="mt-5 mb-6">
            <CostBox projectId={projectId} returnTo={returnTo} />
          </div>
          <ReturnToProjects />
        </>
      }
    >
      <ProjectTitle projectId={projectId} text={`${project.data?.name ?? "Project"} · Groundcrew`} />
      <ProjectStrip projectId={projectId} project={project.data} returnTo={returnTo} />
      <SectionStrip {...sections} />
      <SandboxHeader projectId={projectId} title="Project home" sandbox={sandbox} />
      <div className="flex min-h-100 flex-1 flex-col p-6.5 pt-5 max-narrow:p-3.5 print:block print:p-0">
        <Outlet />
      </div>
    </Shell>
  );
}

/** Whether there is configuration data; undefined until the documentation is written. */
function isConfigured(documentation: DocumentationState): boolean | undefined {
  switch (documentation.is) {
    case "ready":
      return Object.keys(documentation.documentation.key_value_data ?? {}).length > 0;
    case "failed":
      return false;
    default:
      return undefined;
  }
}

function ErrorScreen({ title, text }: { title: string; text: string }) {
  return (
    <FullPage title={title}>
      <p role="alert" className="text-ink-2">
        {text}
      </p>
      <Link to={paths.projects()} className={buttonClass("plain")}>
        Return to Projects
      </Link>
    </FullPage>
  );
}
