import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Stage = Schemas["Stage"];
export type StageId = Stage["stage_id"];
export type ProjectState = Schemas["ProjectState"];

export const projectStateQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["project-states", projectId],
    queryFn: () => body(api.GET("/project-states/{id}", { params: { path: { id: projectId } } })),
  });

export const setCurrentStage = (projectId: number, stageId: StageId) =>
  body(
    api.PUT("/project-states/{id}/current-stage/{stage_id}", {
      params: { path: { id: projectId, stage_id: stageId } },
    }),
  );

export const completeStage = (projectId: number, stageId: StageId) =>
  body(
    api.PUT("/project-states/{id}/stages/{stage_id}", {
      params: { path: { id: projectId, stage_id: stageId } },
      body: { is_completed: true },
    }),
  );
