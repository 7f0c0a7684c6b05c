import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type Drift = Schemas["Drift"];
export type DriftCheck = Schemas["DriftCheck"];
export type Every = Schemas["Every"];

/** How often the checks are read again while they run, in milliseconds. */
const RUNNING_POLL_MS = 2_000;
/** The same while none runs. */
const POLL_MS = 15_000;

export const driftKey = (projectId: number) => ["validation", projectId, "drift"];

export const isUnderWay = (checks: readonly DriftCheck[]) =>
  checks.some(({ status }) => status === "checking" || status === "waiting");

/** The checks of the validated state, what they find now, and when they run by themselves. */
export const driftQuery = (projectId: number) =>
  queryOptions({
    queryKey: driftKey(projectId),
    queryFn: () => body(api.GET("/validation/drift")),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.checks ?? []) ? RUNNING_POLL_MS : POLL_MS),
  });

/** Runs the checks that may run again. */
export const checkDrift = () => body(api.POST("/validation/drift/check"));

/** Lets these checks run again, as they were shown. */
export const allowChecks = (shown: readonly DriftCheck[]) => {
  const checks = shown.map(({ step_number, command_sha256 }) => ({ step_number, command_sha256 }));
  return body(api.POST("/validation/drift/approve", { body: { checks } }));
};

export const withdrawApproval = (step_number: number) =>
  body(api.POST("/validation/drift/withdraw", { body: { step_number } }));

/** Has the checks that may run again run by themselves. */
export const scheduleDrift = (every: Every) =>
  body(api.POST("/validation/drift/schedule", { body: { every } }));
