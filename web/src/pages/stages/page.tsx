import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { Navigate } from "react-router";
import { documentsQuery } from "../../api/documents";
import { isTransient } from "../../api/errors";
import { type ProjectState, projectStateQuery } from "../../api/project-states";
import { type Project, projectQuery } from "../../api/projects";
import { NoticeTitle } from "../../attention/notice-title";
import { ChangeBanner } from "../../changes/banner";
import { lazyPart } from "../../lib/lazy-part";
import { paths } from "../../lib/paths";
import { useProjectRoute } from "../../project/route";
import { CostBox, ProjectName, ProjectStrip, ReturnToProjects, ToHome } from "../../shell/rail";
import { Shell } from "../../shell/shell";
import { currentStage, enabledStages } from "../../stages/stages";
import { useStagePlace } from "../../stages/use-stages";
import { Empty, Failure, Skeleton } from "../../ui/states";
import { oldStages } from "./old-stages";
import { StageDots, StageLine } from "./stage-line";
import { StageView } from "./stage-view";

const RunningStrip = lazy(lazyPart(() => import("../../steps/running-strip")));

/** A project's stages: their line on the left, the current stage's cards next to them. */
export function Component() {
  const { projectId, passed } = useProjectRoute();
  const project = useQuery({ ...projectQuery(projectId), initialData: passed });
  if (project.isError && !isTransient(project.error))
    return <Navigate to={paths.missing(projectId)} replace />;
  return <ProjectStages key={projectId} projectId={projectId} project={project.data} />;
}

function ProjectStages({ projectId, project }: { projectId: number; project: Project | undefined }) {
  const state = useQuery(projectStateQuery(projectId));
  const { shown: current, go } = useStagePlace(projectId, state.data);
  const stages = state.data ? enabledStages(state.data) : [];
  const title = [current?.name, project?.name, "Groundcrew"].filter(Boolean).join(" · ");
  const documents = useQuery(documentsQuery(projectId));
  const reached = state.data && currentStage(state.data);
  const line = { projectId, stages, current, reached, old: oldStages(documents.data), onSelect: go };
  return (
    <Shell
      fixed
      foot={<RunningStrip projectId={projectId} viewed={current?.stage_id} />}
      bar={<StageDots {...line} />}
      rail={
        <>
          <ProjectName project={project} />
          <div className="mt-5">{state.isPending ? <LineSkeleton /> : <StageLine {...line} />}</div>
          <div className="mt-5 mb-6">
            <CostBox projectId={projectId} />
          </div>
          {stages.length > 0 && stages.every((stage) => stage.is_completed) && (
            <ToHome projectId={projectId} />
          )}
          <ReturnToProjects />
        </>
      }
    >
      <Title projectId={projectId} state={state.data} text={title} />
      <ProjectStrip projectId={projectId} project={project} />
      {!current && <h1 className="sr-only">{project?.name ?? "Project"}</h1>}
      {state.isPending && <Loading />}
      {state.isError && !state.data && (
        <Failure
          title="The project's stages could not be loaded"
          error={state.error}
          retry={() => void state.refetch()}
        />
      )}
      {state.data && <ChangeBanner projectId={projectId} state={state.data} />}
      {state.data && (
        <Stages total={state.data.stages.length} enabled={stages.length}>
          {current ? (
            <StageView key={current.stage_id} projectId={projectId} stage={current} />
          ) : (
            <Empty title="No stage selected">Choose one of the stages to continue.</Empty>
          )}
        </Stages>
      )}
    </Shell>
  );
}

interface TitleProps {
  projectId: number;
  state: ProjectState | undefined;
  text: string;
}

/** The tab's title; during steps or checks, it has the notice to their owner. */
function Title({ projectId, state, text }: TitleProps) {
  const at = state && currentStage(state)?.stage_id;
  if (at !== "execution" && at !== "validation") return <title>{text}</title>;
  return <NoticeTitle projectId={projectId} at={at} title={text} />;
}

function Stages({ total, enabled, children }: { total: number; enabled: number; children: React.ReactNode }) {
  if (total === 0)
    return <Empty title="No stages configured">This project has no stages to go through.</Empty>;
  if (enabled === 0)
    return <Empty title="No stages available">All stages of this project are switched off.</Empty>;
  return children;
}

/**
 * The skeleton of a stage: its title, and its two cards or, if there is room for only one, their tabs and the first
 * card.
 */
function Loading() {
  return (
    <div
      role="status"
      className="flex min-h-0 flex-1 flex-col p-6.5 pt-5.5 pb-5.5 max-narrow:px-3.5 max-narrow:pt-3.5 max-narrow:pb-3.5"
    >
      <span className="sr-only">Loading project...</span>
      <Skeleton className="mt-1 h-6 w-48" />
      <Skeleton className="mt-2 h-3.5 w-80 max-w-full max-narrow:hidden" />
      <Skeleton className="mt-3 h-10 rounded-box narrow:mt-5 wide:hidden" />
      <div className="mt-3 flex min-h-0 flex-1 gap-5 wide:mt-5">
        <CardSkeleton />
        <CardSkeleton second />
      </div>
    </div>
  );
}

function CardSkeleton({ second }: { second?: boolean }) {
  return (
    <div
      className={`flex flex-1 flex-col gap-3 rounded-card border border-line bg-surface ${second ? "max-wide:hidden" : ""}`}
    >
      <div className="flex h-11.5 items-center border-line border-b px-4.5">
        <Skeleton className="h-4 w-36" />
      </div>
      <div className="flex flex-col gap-3 px-4.5 py-2">
        {["w-full", "w-11/12", "w-3/4"].map((width) => (
          <Skeleton key={width} className={`h-3 ${width}`} />
        ))}
      </div>
    </div>
  );
}

function LineSkeleton() {
  return (
    <div className="flex h-70 flex-col justify-around" aria-hidden>
      {["w-28", "w-36", "w-32", "w-24", "w-20"].map((width) => (
        <span key={width} className="flex items-center gap-3 px-2">
          <Skeleton className="size-5 rounded-full" />
          <Skeleton className={`h-3.5 ${width}`} />
        </span>
      ))}
    </div>
  );
}
