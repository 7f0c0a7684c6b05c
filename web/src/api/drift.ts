import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Drift = Schemas["Drift"];
export type DriftCheck = Schemas["DriftCheck"];
export type Every = Schemas["Every"];

/** How often the checks are read again while any of them runs, in milliseconds. */
const RUNNING_POLL_MS = 2_000;
/** How often they are read again otherwise, in milliseconds. */
const POLL_MS = 15_000;

export const driftKey = (projectId: number) => ["validation", projectId, "drift"];

export const isUnderWay = (checks: readonly DriftCheck[]) =>
  checks.some(({ status }) => status === "checking" || status === "waiting");

/** The checks of the validated state, their present findings, and their schedule. */
export const driftQuery = (projectId: number) =>
  queryOptions({
    queryKey: driftKey(projectId),
    queryFn: () => body(api.GET("/validation/drift")),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.checks ?? []) ? RUNNING_POLL_MS : POLL_MS),
  });

/** Runs the checks that have a standing approval. */
export const checkDrift = () => body(api.POST("/validation/drift/check"));

/** Gives these checks a standing approval, as they were shown. */
export const allowChecks = (shown: readonly DriftCheck[]) => {
  const checks = shown.map(({ step_number, command_sha256 }) => ({ step_number, command_sha256 }));
  return body(api.POST("/validation/drift/approve", { body: { checks } }));
};

export const withdrawApproval = (step_number: number) =>
  body(api.POST("/validation/drift/withdraw", { body: { step_number } }));

/** Schedules automatic runs of the checks that have a standing approval. */
export const scheduleDrift = (every: Every) =>
  body(api.POST("/validation/drift/schedule", { body: { every } }));
