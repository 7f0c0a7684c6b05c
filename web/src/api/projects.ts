import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";
import { json } from "./plain";

export type Project = Schemas["Project"];
export type NewProject = Schemas["NewProject"];

/** How often a shown cost is read again, in milliseconds. */
const COSTS_POLL_MS = 10_000;

export const projectsQuery = () =>
  queryOptions({ queryKey: ["projects"], queryFn: () => body(api.GET("/projects")) });

export const projectQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId],
    queryFn: () => body(api.GET("/projects/{id}", { params: { path: { id: projectId } } })),
    staleTime: 60_000,
  });

export const costsKey = (projectId: number) => ["projects", projectId, "costs"];

/** What a project has cost, and where its agents stop. */
export type ProjectCosts = Schemas["ProjectCosts"] & {
  /** Dollars; none when the project has no budget. */
  budget?: string | null;
};

/** A failure is logged and leaves the value empty. */
export const costsQuery = (projectId: number) =>
  queryOptions({
    queryKey: costsKey(projectId),
    queryFn: (): Promise<ProjectCosts> =>
      logged(body(api.GET("/projects/{id}/costs", { params: { path: { id: projectId } } }))),
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

/** A share of a project's cost, in dollars as a decimal, with the tokens behind it. */
interface Share {
  total_cost: string;
  input_tokens: number;
  output_tokens: number;
}

/** The same cost three times: by stage, by agent, and by day (`2026-11-20`, UTC). */
export interface CostBreakdown {
  by_stage: (Share & { stage_id: string })[];
  by_agent: (Share & { agent_id: string })[];
  by_day: (Share & { day: string })[];
}

export const breakdownQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...costsKey(projectId), "breakdown"],
    queryFn: () => logged(json<CostBreakdown>(`/projects/${projectId}/costs/breakdown`)),
    refetchInterval: COSTS_POLL_MS,
    retry: false,
  });

/** Sets the dollars at which the project's agents stop; null takes the limit away. */
export const setBudget = (projectId: number, amount: number | null) =>
  json<{ budget: string | null }>(`/projects/${projectId}/budget`, { method: "PUT", body: { amount } });

export const createProject = (project: NewProject) => body(api.POST("/projects", { body: project }));

async function logged<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    console.error("Costs could not be read", error);
    throw error;
  }
}
