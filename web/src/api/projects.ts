import { queryOptions } from "@tanstack/react-query";
import { api, body, done, type Schemas } from "./client";
import { IdempotencyKeys } from "./idempotency";

export type Project = Schemas["Project"];
export type ListedProject = Schemas["ListedProject"];
export type NewProject = Schemas["NewProject"];
export type ProjectCosts = Schemas["ProjectCosts"];

/** How often the list is read again, in milliseconds. */
const LIST_POLL_MS = 10_000;
/** How often a visible cost is read again, in milliseconds. */
const COSTS_POLL_MS = 10_000;

export const projectsQuery = () =>
  queryOptions({
    queryKey: ["projects"],
    queryFn: () => body(api.GET("/projects")),
    // The list's page may arrive after the answer that was asked for ahead of it.
    staleTime: 2_000,
    // A user who views the list waits for its changes.
    refetchInterval: LIST_POLL_MS,
  });

export const projectQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId],
    queryFn: () => body(api.GET("/projects/{id}", { params: { path: { id: projectId } } })),
    staleTime: 60_000,
  });

export const costsKey = (projectId: number) => ["projects", projectId, "costs"];

/** Logs a failure and leaves the value empty. */
export const costsQuery = (projectId: number) =>
  queryOptions({
    queryKey: costsKey(projectId),
    queryFn: () => logged(body(api.GET("/projects/{id}/costs", { params: { path: { id: projectId } } }))),
    refetchInterval: COSTS_POLL_MS,
    retry: false,
  });

export const tokenUsageQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId, "token-usage"],
    queryFn: () =>
      logged(body(api.GET("/projects/{id}/token-usage", { params: { path: { id: projectId } } }))),
    refetchInterval: COSTS_POLL_MS,
    retry: false,
  });

export const breakdownQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...costsKey(projectId), "breakdown"],
    queryFn: () =>
      logged(body(api.GET("/projects/{id}/costs/breakdown", { params: { path: { id: projectId } } }))),
    refetchInterval: COSTS_POLL_MS,
    retry: false,
  });

/** Sets the dollars at which the project's agents stop; null removes the limit. */
export const setBudget = (projectId: number, amount: number | null) =>
  body(api.PUT("/projects/{id}/budget", { params: { path: { id: projectId } }, body: { amount } }));

export const deleteProject = (projectId: number) =>
  done(api.DELETE("/projects/{id}", { params: { path: { id: projectId } } }));

/** Renames, describes, archives or unarchives a project; omitted fields keep their values. */
export const changeProject = (projectId: number, request: Schemas["ProjectUpdate"]) =>
  body(api.PATCH("/projects/{id}", { params: { path: { id: projectId } }, body: request }));

/** Creates a project with the requirements and the plans of another. */
export const duplicateProject = (projectId: number, project: NewProject) =>
  keys.send([projectId, project], (key) => {
    const params = { path: { id: projectId }, header: { "Idempotency-Key": key } };
    return body(api.POST("/projects/{id}/duplicate", { params, body: project }));
  });

export const createProject = (project: NewProject) =>
  keys.send(project, (key) =>
    body(api.POST("/projects", { params: { header: { "Idempotency-Key": key } }, body: project })),
  );

/** Outlives the dialogs: a person who closed one and asks again for the same project gets the first. */
const keys = new IdempotencyKeys();

async function logged<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    console.error("Costs could not be read", error);
    throw error;
  }
}
