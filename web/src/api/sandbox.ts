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

/** How many calls wait for one backup or restore; each waits 25 s, and a sandbox gives up after 15 minutes. */
const WAITING_CALLS = 60;

/**
 * Calls again while a backup or restore goes on: a large workspace takes longer than one call may. Each call waits on
 * the server, so there is no pause between them.
 */
async function untilDone(call: (transfer?: string) => Promise<Schemas["ActionBody"]>) {
  let answer = await call();
  for (let calls = 1; answer.status === "pending" && answer.transfer && calls < WAITING_CALLS; calls += 1) {
    answer = await call(answer.transfer);
  }
  return answer;
}

/** Backs the workspace up; the list shows whether that was for a stop. */
export const syncSandbox = (projectId: number, beforeStop = false) =>
  untilDone((transfer) =>
    body(
      api.POST("/sandbox/sync/{id}", {
        params: {
          path: { id: projectId },
          query: { ...(beforeStop ? { before_stop: true } : {}), ...(transfer ? { transfer } : {}) },
        },
      }),
    ),
  );

export type Backup = Schemas["Backup"];

/** The stored backups, newest first; on request, read again with the sandbox's state. */
export const backupsQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...sandboxKey(projectId), "backups"],
    queryFn: () => body(api.GET("/sandbox/backups/{id}", at(projectId))),
    refetchInterval: SANDBOX_POLL_MS,
  });

/** Replaces the workspace with a backup; the workspace itself is backed up first. */
export const restoreBackup = async (projectId: number, backupId: string) => {
  const restored = await untilDone((transfer) =>
    body(
      api.POST("/sandbox/restore/{id}", {
        ...at(projectId),
        body: { backup_id: backupId, ...(transfer ? { transfer } : {}) },
      }),
    ),
  );
  if (restored.status !== "success") throw new Error(restored.error ?? restored.detail);
};

export type ListeningPort = Schemas["ListeningPort"];

/** The services that listen in the sandbox; read again when the page becomes visible, and on request. */
export const portsQuery = (projectId: number, running: boolean) =>
  queryOptions({
    queryKey: [...sandboxKey(projectId), "ports", running],
    queryFn: () => body(api.GET("/sandbox/ports/{id}", at(projectId))),
  });

/** The address of a preview, valid once and for a few seconds. */
export const openPreview = async (projectId: number, port: number) => {
  const opened = await body(api.POST("/sandbox/previews/{id}", { ...at(projectId), body: { port } }));
  return opened.url;
};
