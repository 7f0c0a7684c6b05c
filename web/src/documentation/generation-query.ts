import { queryOptions } from "@tanstack/react-query";
import { documentationKey, readDocumentation, requestDocumentation } from "../api/documentation";
import { pause } from "../lib/pause";
import { generateDocumentation } from "./generate";

/** Has the missing documentation written and waits for it; leaving the page stops the waiting. */
export const generationQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["documentation", projectId, "generation"],
    queryFn: async ({ signal, client }) => {
      const key = documentationKey(projectId);
      const written = await generateDocumentation({
        generate: () => requestDocumentation(signal),
        read: readDocumentation,
        wait: (milliseconds) => pause(milliseconds, signal),
      });
      client.setQueryData(key, written);
      return written;
    },
    // It costs tokens, so it runs once per visit, and again only when the user retries.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
