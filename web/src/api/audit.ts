import { queryOptions } from "@tanstack/react-query";
import { answer, api, type Schemas, text } from "./client";
import { allPages } from "./pages";

export type AuditEntry = Schemas["AuditEntry"] & {
  /** What an approval meant, if it was not about a command that waited for a person; the page finds it out. */
  context?: "again" | "run_all";
};

/** How often a visible audit is read again, in milliseconds. */
const AUDIT_POLL_MS = 10_000;

export const auditKey = (projectId: number) => ["projects", projectId, "audit"];

/** The decisions on a project and the runs that followed from them, newest first. */
export const auditQuery = (projectId: number) =>
  queryOptions({
    queryKey: auditKey(projectId),
    queryFn: async () => {
      const page = async (cursor?: string) => {
        const params = { path: { id: projectId }, query: { cursor } };
        const { data, headers } = await answer(api.GET("/projects/{id}/audit", { params }));
        return { part: data, headers };
      };
      return (await allPages(page)).flat();
    },
    refetchInterval: AUDIT_POLL_MS,
  });

/** The same as a file for spreadsheets. */
export const auditCsv = async (projectId: number): Promise<string> => {
  const page = async (cursor?: string) => {
    const params = { path: { id: projectId }, query: { format: "csv", cursor } };
    // According to the contract the body is a list; a call for a file gets text.
    const call = api.GET("/projects/{id}/audit", { params, parseAs: "text" });
    const { text: part, headers } = await text(call as unknown as Parameters<typeof text>[0]);
    return { part, headers };
  };
  return (await allPages(page)).join("");
};
