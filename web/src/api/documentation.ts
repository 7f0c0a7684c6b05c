import { queryOptions } from "@tanstack/react-query";
import { generateDocumentation } from "../documentation/generate";
import { unquoted } from "../lib/text";
import { api, body, type Schemas } from "./client";
import { chat } from "./stream";

export type Documentation = Pick<Schemas["DocumentationBody"], "documentation" | "quickstart"> & {
  key_value_data: Record<string, unknown> | null;
};

const GENERATE = "Generate detailed documentation of the current infrastructure";

export const documentationKey = (projectId: number) => ["documentation", projectId, "current"];

export const documentationQuery = (projectId: number) =>
  queryOptions({ queryKey: documentationKey(projectId), queryFn: read });

async function read(): Promise<Documentation> {
  const current = await body(api.GET("/documentation/current"));
  if (current.status !== "success") throw new Error("Failed to load documentation");
  return {
    documentation: unquoted(current.documentation),
    quickstart: unquoted(current.quickstart),
    key_value_data: current.key_value_data,
  };
}

/** Has the missing documentation written and waits for it; leaving the page ends the waiting. */
export const generationQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["documentation", projectId, "generation"],
    queryFn: async ({ signal, client }) => {
      const key = documentationKey(projectId);
      const written = await generateDocumentation({
        generate: () => requestDocumentation(signal),
        read,
        wait: (milliseconds) => pause(milliseconds, signal),
      });
      client.setQueryData(key, written);
      return written;
    },
    // It costs tokens: once per visit, and then only when asked to try again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

/** Asks the documenter for everything anew and waits for the end of its reply. */
export async function requestDocumentation(signal: AbortSignal): Promise<void> {
  const call = {
    path: "/documentation/generate",
    method: "POST" as const,
    message: GENERATE,
    threadId: undefined,
  };
  for await (const event of chat(call, signal)) {
    if (event.event === "error") throw new Error(event.detail || "The reply broke off");
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new Error("The page was left before the documentation was ready"));
    });
  });
}
