import { QueryCache, QueryClient } from "@tanstack/react-query";
import { isTransient } from "./api/errors";
import { reachability } from "./lib/reachability";

/** How often a read that failed by chance is repeated before its failure is shown. */
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
  },
});
