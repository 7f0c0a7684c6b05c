/** The rules of the stage pipeline. */
import type { ProjectState, Stage, StageId } from "../api/project-states";

export type { Stage, StageId };

/** The ids of the stages that confirming moves between. */
export const STAGE = {
  requirements: "requirements",
  architecture: "architecture",
  implementation: "implementation",
  execution: "execution",
  validation: "validation",
} as const satisfies Record<StageId, StageId>;

/** The stages that a project goes through, in order. */
export function enabledStages(state: ProjectState): Stage[] {
  return state.stages.filter((stage) => stage.is_enabled).sort((a, b) => a.order - b.order);
}

/** The project's current stage; an index beyond the enabled stages means the last one. */
export function currentStage(state: ProjectState): Stage | undefined {
  const stages = enabledStages(state);
  return stages[Math.min(Math.max(state.current_stage_index, 0), stages.length - 1)];
}

/** The stage in the address, if it can be viewed; otherwise the project's current stage. */
export function shownStage(state: ProjectState, asked: string | null): Stage | undefined {
  const named = enabledStages(state).find((stage) => stage.stage_id === asked && stage.is_active);
  return named ?? currentStage(state);
}

/** Whether a stage comes after the project's current one. */
export function isAhead(state: ProjectState, stageId: StageId): boolean {
  const ids = enabledStages(state).map((stage) => stage.stage_id);
  const current = currentStage(state)?.stage_id;
  return ids.indexOf(stageId) > (current === undefined ? -1 : ids.indexOf(current));
}

/** The state once `stageId` is the current stage; a stage that is not active, or unknown, changes nothing. */
export function withCurrentStage(state: ProjectState, stageId: StageId): ProjectState {
  const index = enabledStages(state).findIndex((stage) => stage.stage_id === stageId);
  if (index < 0) return state;
  return {
    ...state,
    current_stage_index: index,
    stages: state.stages.map((stage) => (stage.stage_id === stageId ? { ...stage, is_active: true } : stage)),
  };
}

/** The state with a stage as the server returned it. */
export function withStage(state: ProjectState, changed: Stage): ProjectState {
  return {
    ...state,
    stages: state.stages.map((stage) =>
      stage.stage_id === changed.stage_id ? { ...stage, ...changed } : stage,
    ),
  };
}
