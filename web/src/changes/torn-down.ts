import type { ProjectState } from "../api/project-states";

const isDone = ({ stages }: ProjectState) => stages.length > 0 && stages.every((stage) => stage.is_completed);

/** Whether what the project built is gone. */
export const isTornDown = (state: ProjectState): boolean =>
  isDone(state) && state.change?.kind === "tear_down";

/** Whether the project can begin another change. */
export const isChangeable = (state: ProjectState): boolean => isDone(state) && !isTornDown(state);
