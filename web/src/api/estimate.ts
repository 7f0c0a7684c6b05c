import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Estimate = Schemas["ExecutionEstimate"];

const estimateKey = (projectId: number) => ["execution", projectId, "estimate"];

/** What the execution of the plan will take, and has taken; `stamp` changes when a step has ended. */
export const estimateQuery = (projectId: number, stamp = "") =>
  queryOptions({
    queryKey: [...estimateKey(projectId), stamp],
    queryFn: () => body(api.GET("/execution/estimate")),
    retry: false,
    placeholderData: (before) => before,
  });
