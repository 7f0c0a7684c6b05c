import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas } from "./client";

export type SandboxStatus = Schemas["SandboxBody"];

/** How often the sandbox's state is read again, in milliseconds. */
const SANDBOX_POLL_MS = 10_000;

const at = (projectId: number) => ({ params: { path: { id: projectId } } });

export const sandboxKey = (projectId: number) => ["sandbox", projectId];

export const readSandbox = (projectId: number) => body(api.GET("/sandbox/status/{id}", at(projectId)));

export const sandboxQuery = (projectId: number) =>
  queryOptions({
    queryKey: sandboxKey(projectId),
    queryFn: () => readSandbox(projectId),
    refetchInterval: SANDBOX_POLL_MS,
  });

export const initializeSandbox = (projectId: number) =>
  body(api.POST("/sandbox/initialize/{id}", at(projectId)));
export const startSandbox = (projectId: number) => body(api.POST("/sandbox/start/{id}", at(projectId)));
export const stopSandbox = (projectId: number) => body(api.POST("/sandbox/stop/{id}", at(projectId)));
export const syncSandbox = (projectId: number) => body(api.POST("/sandbox/sync/{id}", at(projectId)));
