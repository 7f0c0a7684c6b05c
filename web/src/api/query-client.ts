import { QueryCache, QueryClient } from "@tanstack/react-query";
import { projectIdOf } from "../lib/paths";
import { reachability } from "../lib/reachability";
import { isStatus, isTransient } from "./errors";
import { projectQuery } from "./projects";

/** How often a transient read failure is retried before it is shown. */
const RETRIES = 2;

/** How old the project's data may be when something of it is missing, in milliseconds. */
const FRESH_MS = 3_000;

/**
 * Reads the project of this page again because something of it was not found: another tab, or another person, may have
 * deleted it.
 */
function askForProject() {
  const projectId = projectIdOf(location.pathname);
  if (projectId === undefined) return;
  const { queryKey } = projectQuery(projectId);
  const { dataUpdatedAt, errorUpdatedAt } = queryClient.getQueryState(queryKey) ?? {};
  const read = Math.max(dataUpdatedAt ?? 0, errorUpdatedAt ?? 0);
  if (Date.now() - read > FRESH_MS) void queryClient.invalidateQueries({ queryKey, exact: true });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: () => reachability.heard(),
    onError: (error) => {
      reachability.failed(error);
      if (isStatus(error, 404)) askForProject();
    },
  }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isTransient(error),
      retryDelay: (attempt) => 500 * 2 ** attempt,
    },
    // A decision that cannot be sent fails at once. By default it would wait and be sent whenever the network is back.
    mutations: { networkMode: "always" },
  },
});
