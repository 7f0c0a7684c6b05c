import { queryOptions } from "@tanstack/react-query";
import { api, body, type Schemas, text } from "./client";

export type AuditEntry = Schemas["AuditEntry"];

/** How often a visible audit is read again, in milliseconds. */
const AUDIT_POLL_MS = 10_000;

export const auditKey = (projectId: number) => ["projects", projectId, "audit"];

/** The decisions on a project and the runs that followed from them, newest first. */
export const auditQuery = (projectId: number) =>
  queryOptions({
    queryKey: auditKey(projectId),
    queryFn: () => body(api.GET("/projects/{id}/audit", { params: { path: { id: projectId } } })),
    refetchInterval: AUDIT_POLL_MS,
  });

/** The same as a file for spreadsheets. */
export const auditCsv = async (projectId: number): Promise<string> => {
  const params = { path: { id: projectId }, query: { format: "csv" } };
  // According to the contract the body is a list; a call for a file gets text.
  const call = api.GET("/projects/{id}/audit", { params, parseAs: "text" });
  return (await text(call as unknown as Parameters<typeof text>[0])).text;
};
