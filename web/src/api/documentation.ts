import { queryOptions } from "@tanstack/react-query";
import { unquoted } from "../lib/text";
import { api, body, type Schemas } from "./client";
import { untilReplied } from "./stream";

export type Documentation = Pick<Schemas["DocumentationBody"], "documentation" | "quickstart"> & {
  key_value_data: Record<string, unknown> | null;
};

const GENERATE = "Generate detailed documentation of the current infrastructure";

export const documentationKey = (projectId: number) => ["documentation", projectId, "current"];

export const documentationQuery = (projectId: number) =>
  queryOptions({ queryKey: documentationKey(projectId), queryFn: readDocumentation });

export async function readDocumentation(): Promise<Documentation> {
  const current = await body(api.GET("/documentation/current"));
  if (current.status !== "success") throw new Error("Failed to load documentation");
  return {
    documentation: unquoted(current.documentation),
    quickstart: unquoted(current.quickstart),
    key_value_data: current.key_value_data,
  };
}

/** Asks the documenter to rewrite everything and waits for the end of its reply. */
export const requestDocumentation = (signal: AbortSignal): Promise<void> =>
  untilReplied("/documentation/generate", GENERATE, signal);
