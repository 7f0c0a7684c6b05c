import { QueryCache, QueryClient } from "@tanstack/react-query";
import { reachability } from "../lib/reachability";
import { isTransient } from "./errors";

/** How often a transient read failure is retried before it is shown. */
const RETRIES = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: () => reachability.heard(),
    onError: (error) => reachability.failed(error),
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
