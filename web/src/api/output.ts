import { type QueryClient, type QueryKey, queryOptions, type UseQueryOptions } from "@tanstack/react-query";

/** The whole of what a command has printed so far. */
export type OutputQuery = UseQueryOptions<string, Error, string, (string | number)[]>;

/** How often the output of a running command is read while somebody looks at it, in milliseconds. */
const LIVE_OUTPUT_POLL_MS = 1_000;

interface OutputSource {
  queryKey: (string | number)[];
  read: () => Promise<{ text: string; headers: Headers }>;
  /** Where the list lies in which the command is shown, and how it stands there. */
  listKey: QueryKey;
  listed: (client: QueryClient) => string | undefined;
  live: boolean;
}

/**
 * The whole output of a command, which the list may have shortened. It also tells where the command stands: when that
 * is no longer what the list shows, the list is read again at once instead of at its next turn.
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
