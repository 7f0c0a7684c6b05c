import { queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { problemText } from "../api/errors";
import { terminalTicket } from "../api/terminal";
import { FilesConnection, isProblem } from "./connection";
import type { Folder } from "./rows";

/** How often to ask a sandbox that did not answer, in milliseconds. */
const AWAY_POLL_MS = 3_000;

export const filesKey = (projectId: number) => ["files", projectId];
export const textKey = (projectId: number, path: string) => [...filesKey(projectId), "text", path];

/** The connection to the sandbox's files, as long as they are visible. */
export function useFilesConnection(): FilesConnection | undefined {
  const [connection, setConnection] = useState<FilesConnection>();
  useEffect(() => {
    const connection = new FilesConnection({ ticket: terminalTicket, connect: (url) => new WebSocket(url) });
    const online = () => connection.hurry();
    window.addEventListener("online", online);
    connection.start();
    setConnection(connection);
    return () => {
      window.removeEventListener("online", online);
      connection.close();
      setConnection(undefined);
    };
  }, []);
  return connection;
}

/** A read over the connection: waits for it, and for an absent sandbox. */
function readQuery<T>(
  connection: FilesConnection | undefined,
  queryKey: unknown[],
  read: (connection: FilesConnection) => Promise<T>,
) {
  return queryOptions({
    queryKey,
    queryFn: () => {
      if (!connection) throw new Error("There is no connection yet");
      return read(connection);
    },
    enabled: connection !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (isProblem(state.error, "unavailable") ? AWAY_POLL_MS : false),
  });
}

/** The known content of the workspace and of each open folder. */
export function useFolders(
  projectId: number,
  connection: FilesConnection | undefined,
  expanded: ReadonlySet<string>,
) {
  const paths = ["", ...expanded];
  const answers = useQueries({
    queries: paths.map((path) =>
      readQuery(connection, [...filesKey(projectId), "list", path], (connection) => connection.list(path)),
    ),
  });
  const folder = (path: string): Folder => {
    const answer = answers[paths.indexOf(path)];
    const problem = answer?.isError && !answer.data ? problemText(answer.error) : undefined;
    return { listing: answer?.data, problem };
  };
  const root = answers[0];
  return {
    folder,
    away: isProblem(root?.error, "unavailable"),
    reading: answers.some((it) => it.isFetching),
  };
}

export function useFileText(
  projectId: number,
  connection: FilesConnection | undefined,
  path: string,
  exists: boolean,
) {
  const query = readQuery(connection, textKey(projectId, path), (connection) => connection.read(path));
  return useQuery({ ...query, enabled: exists && connection !== undefined });
}

/** The end of a file that services write to: read again each time it is shown. */
export function useLogFile(projectId: number, connection: FilesConnection | undefined, path: string) {
  const queryKey = [...filesKey(projectId), "log", path];
  return useQuery({
    ...readQuery(connection, queryKey, (connection) => connection.read(path, "end")),
    staleTime: 0,
  });
}

/** Reads all visible content again. */
export function useRefresh(projectId: number): () => void {
  const queries = useQueryClient();
  return useCallback(
    () => void queries.invalidateQueries({ queryKey: filesKey(projectId) }),
    [queries, projectId],
  );
}
