import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate, useSearchParams } from "react-router";
import {
  completeStage,
  type ProjectState,
  projectStateQuery,
  type StageId,
  setCurrentStage,
} from "../api/project-states";
import { paths } from "../lib/paths";
import { isAhead, type Stage, shownStage, withCurrentStage, withStage } from "./stages";

/** Moves to a stage at once, and back if the server refuses. */
function useSetStage(projectId: number) {
  const queries = useQueryClient();
  const { queryKey } = projectStateQuery(projectId);
  return useMutation({
    mutationFn: (stageId: StageId) => setCurrentStage(projectId, stageId),
    onMutate: async (stageId) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData<ProjectState>(queryKey);
      queries.setQueryData<ProjectState>(queryKey, (state) => state && withCurrentStage(state, stageId));
      return before;
    },
    onSuccess: (state) => queries.setQueryData(queryKey, state),
    onError: (error, _, before) => {
      console.error("The stage could not be changed", error);
      queries.setQueryData(queryKey, before);
    },
  });
}

/** The query with which an address names its stage. */
const askedStage = (params: URLSearchParams) => params.get("stage");

/** Moves between the addresses of a project's stages, each an entry in the browser's history. */
function useStagePlaces(projectId: number) {
  const navigate = useNavigate();
  return useCallback(
    async (from: StageId, to: StageId) => {
      // An address without a stage means the current one, which may be about to change: name it first.
      const here = new URLSearchParams(window.location.search);
      if (!here.has("stage")) {
        here.set("stage", from);
        await navigate({ search: `?${here}` }, { replace: true, preventScrollReset: true });
      }
      await navigate(paths.project(projectId, to));
    },
    [navigate, projectId],
  );
}

/** The stage that is shown, and a way to show another; looking back does not change the project's current stage. */
export function useStagePlace(projectId: number, state: ProjectState | undefined) {
  const [params] = useSearchParams();
  const set = useSetStage(projectId);
  const places = useStagePlaces(projectId);
  const shown = state && shownStage(state, askedStage(params));
  const go = (stageId: StageId) => {
    if (!state || !shown || shown.stage_id === stageId) return;
    if (isAhead(state, stageId)) set.mutate(stageId);
    void places(shown.stage_id, stageId);
  };
  return { shown, go };
}

/** Leads to a stage of the project. */
export function useGoToStage(projectId: number, from: StageId): (stageId: StageId) => void {
  const places = useStagePlaces(projectId);
  return (stageId) => void places(from, stageId);
}

/**
 * Marks a stage completed on the server, then moves to the next one; people who have left the stage stay where they
 * are.
 */
export function useAdvance(projectId: number) {
  const queries = useQueryClient();
  const places = useStagePlaces(projectId);
  const { queryKey } = projectStateQuery(projectId);
  return async (completed: StageId, next: StageId) => {
    const stage = await completeStage(projectId, completed);
    queries.setQueryData<ProjectState>(queryKey, (state) => state && withStage(state, stage));
    const before = queries.getQueryData<ProjectState>(queryKey);
    const moved = await setCurrentStage(projectId, next);
    if (before && isShown(projectId, before, completed)) await places(completed, next);
    queries.setQueryData(queryKey, moved);
  };
}

function isShown(projectId: number, state: ProjectState, stageId: Stage["stage_id"]): boolean {
  const { pathname, search } = window.location;
  const shown = shownStage(state, askedStage(new URLSearchParams(search)));
  return pathname === paths.project(projectId) && shown?.stage_id === stageId;
}
