import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Change = Schemas["Change"];
export type NewChange = Schemas["NewChange"];
export type PastChange = Schemas["PastChange"];
export type PastStep = Schemas["PastStep"];

/** How often the list is read again, in milliseconds. */
const CHANGES_POLL_MS = 10_000;

export const changesKey = (projectId: number) => ["projects", projectId, "changes"];

/** The changes of a project, newest first; the last one built it. */
export const changesQuery = (projectId: number) =>
  queryOptions({
    queryKey: changesKey(projectId),
    queryFn: () => body(api.GET("/projects/{id}/changes", { params: { path: { id: projectId } } })),
    refetchInterval: CHANGES_POLL_MS,
  });

/** The documents, steps and checks of an earlier change. */
export const pastChangeQuery = (projectId: number, number: number) =>
  queryOptions({
    queryKey: [...changesKey(projectId), number],
    queryFn: () =>
      body(api.GET("/projects/{id}/changes/{number}", { params: { path: { id: projectId, number } } })),
    staleTime: 60_000,
  });

export const beginChange = (projectId: number, change: NewChange) =>
  body(api.POST("/projects/{id}/changes", { params: { path: { id: projectId } }, body: change }));

export const abandonChange = (projectId: number, number: number) =>
  body(api.DELETE("/projects/{id}/changes/{number}", { params: { path: { id: projectId, number } } }));
