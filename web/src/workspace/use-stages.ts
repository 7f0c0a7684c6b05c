import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  completeStage,
  type ProjectState,
  projectStateQuery,
  type StageId,
  setCurrentStage,
} from "../api/project-states";
import { withCurrentStage, withStage } from "./stages";

/** Goes to a stage at once, and back when the server refuses. */
export function useSelectStage(projectId: number) {
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

/** Marks a stage completed on the server, then moves to the one after it. */
export function useAdvance(projectId: number) {
  const queries = useQueryClient();
  const { queryKey } = projectStateQuery(projectId);
  return async (completed: StageId, next: StageId) => {
    const stage = await completeStage(projectId, completed);
    queries.setQueryData<ProjectState>(queryKey, (state) => state && withStage(state, stage));
    queries.setQueryData(queryKey, await setCurrentStage(projectId, next));
  };
}
