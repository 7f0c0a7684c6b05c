import { useQuery } from "@tanstack/react-query";
import { type Change, changesQuery, type PastChange, pastChangeQuery } from "../api/changes";

/** The numbers of the change under way and of the one before it; undefined unless there are both. */
export function changeUnderWay(changes: readonly Change[]): { under: number; previous: number } | undefined {
  const current = changes.find(({ is_current }) => is_current);
  if (current?.status !== "in_progress" || current.on_top_of === null) return undefined;
  return { under: current.number, previous: current.on_top_of };
}

/** The previous change while another one is under way: the current plans and checks do not describe what exists. */
export interface PreviousChange {
  isPending: boolean;
  error: Error | null;
  /** The change under way; undefined if there is none, or the first one. */
  under: number | undefined;
  past: PastChange | undefined;
}

export function usePreviousChange(projectId: number): PreviousChange {
  const changes = useQuery(changesQuery(projectId));
  const found = changeUnderWay(changes.data ?? []);
  const past = useQuery({
    ...pastChangeQuery(projectId, found?.previous ?? 0),
    enabled: found !== undefined,
  });
  return {
    isPending: changes.isPending || (found !== undefined && past.isPending),
    error: changes.data ? past.error : changes.error,
    under: found?.under,
    past: found && past.data,
  };
}
