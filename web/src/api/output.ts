import { type QueryClient, type QueryKey, queryOptions, type UseQueryOptions } from "@tanstack/react-query";

/** The whole output of a command so far. */
export type OutputQuery = UseQueryOptions<string, Error, string, (string | number)[]>;

/** How often a running command's visible output is read, in milliseconds. */
const LIVE_OUTPUT_POLL_MS = 1_000;

interface OutputSource {
  queryKey: (string | number)[];
  read: () => Promise<{ text: string; headers: Headers }>;
  /** The list that shows the command, and the command's status there. */
  listKey: QueryKey;
  listed: (client: QueryClient) => string | undefined;
  live: boolean;
}

/**
 * The whole output of a command, which the list may have shortened. The answer also has the command's status: if that
 * differs from the list's, the list is read again at once instead of at its next poll.
 */
export const outputOf = ({ queryKey, read, listKey, listed, live }: OutputSource): OutputQuery =>
  queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const { text, headers } = await read();
      const status = headers.get("Step-Status");
      const shown = listed(client);
      if (status && shown && status !== shown) void client.invalidateQueries({ queryKey: listKey });
      return text;
    },
    refetchInterval: live ? LIVE_OUTPUT_POLL_MS : false,
    retry: false,
  });
