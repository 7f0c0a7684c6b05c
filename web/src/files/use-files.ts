import { queryOptions, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { problemText } from "../api/errors";
import { terminalTicket } from "../api/terminal";
import { FilesLink, isProblem } from "./link";
import type { Folder } from "./rows";

/** How often to ask a sandbox that did not answer, in milliseconds. */
const AWAY_POLL_MS = 3_000;

export const filesKey = (projectId: number) => ["files", projectId];
export const textKey = (projectId: number, path: string) => [...filesKey(projectId), "text", path];

/** The connection to the sandbox's files, as long as they are visible. */
export function useFilesLink(): FilesLink | undefined {
  const [link, setLink] = useState<FilesLink>();
  useEffect(() => {
    const link = new FilesLink({ ticket: terminalTicket, connect: (url) => new WebSocket(url) });
    const online = () => link.hurry();
    window.addEventListener("online", online);
    link.start();
    setLink(link);
    return () => {
      window.removeEventListener("online", online);
      link.close();
      setLink(undefined);
    };
  }, []);
  return link;
}

/** A read over the link: waits for the link, and for an absent sandbox. */
function linked<T>(link: FilesLink | undefined, queryKey: unknown[], read: (link: FilesLink) => Promise<T>) {
  return queryOptions({
    queryKey,
    queryFn: () => {
      if (!link) throw new Error("There is no connection yet");
      return read(link);
    },
    enabled: link !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (isProblem(state.error, "unavailable") ? AWAY_POLL_MS : false),
  });
}

/** The known content of the workspace and of each open folder. */
export function useFolders(projectId: number, link: FilesLink | undefined, expanded: ReadonlySet<string>) {
  const paths = ["", ...expanded];
  const answers = useQueries({
    queries: paths.map((path) =>
      linked(link, [...filesKey(projectId), "list", path], (link) => link.list(path)),
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

export function useFileText(projectId: number, link: FilesLink | undefined, path: string, exists: boolean) {
  const query = linked(link, textKey(projectId, path), (link) => link.read(path));
  return useQuery({ ...query, enabled: exists && link !== undefined });
}

/** The end of a file that services write to: read again each time it is shown. */
export function useLogFile(projectId: number, link: FilesLink | undefined, path: string) {
  const queryKey = [...filesKey(projectId), "log", path];
  return useQuery({ ...linked(link, queryKey, (link) => link.read(path, "end")), staleTime: 0 });
}

/** Reads all visible content again. */
export function useRefresh(projectId: number): () => void {
  const queries = useQueryClient();
  return useCallback(
    () => void queries.invalidateQueries({ queryKey: filesKey(projectId) }),
    [queries, projectId],
  );
}
