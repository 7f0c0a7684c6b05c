import { useQuery } from "@tanstack/react-query";
import { type Change, changesQuery, type PastChange, pastChangeQuery } from "../api/changes";

/** The number of the previous change while another one is under way; undefined if none is. */
export function standingUnder(changes: readonly Change[]): { under: number; standing: number } | undefined {
  const current = changes.find(({ is_current }) => is_current);
  if (current?.status !== "in_progress" || current.on_top_of === null) return undefined;
  return { under: current.number, standing: current.on_top_of };
}

/** The previous change while another one is under way: the current plans and checks do not describe what exists. */
export interface Standing {
  isPending: boolean;
  error: Error | null;
  /** The change under way; undefined if there is none, or the first one. */
  under: number | undefined;
  past: PastChange | undefined;
}

export function useStanding(projectId: number): Standing {
  const changes = useQuery(changesQuery(projectId));
  const found = standingUnder(changes.data ?? []);
  const past = useQuery({
    ...pastChangeQuery(projectId, found?.standing ?? 0),
    enabled: found !== undefined,
  });
  return {
    isPending: changes.isPending || (found !== undefined && past.isPending),
    error: changes.data ? past.error : changes.error,
    under: found?.under,
    past: found && past.data,
  };
}
