import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Autonomy, Progress } from "../api/execution";
import { tabStorage } from "../lib/storage";
import { useStoredFlag } from "../lib/stored";
import type { Track } from "./track";

/** What the owner is asked about while the steps of a plan run. */
export interface AutonomySetting {
  level: Autonomy;
  /** Whether all steps run without the owner. */
  all: boolean;
  choose: (level: Autonomy) => void;
  /** Why the last choice was not stored. */
  error: Error | null;
}

/**
 * What the owner is asked about, and a way to change it.
 *
 * The setting belongs to the plan and is stored on the server: a change in one tab applies in every other. This tab's
 * flag takes its place while there is no plan yet.
 */
export function useAutonomy(track: Track, progress: Progress | undefined, key: string): AutonomySetting {
  const queries = useQueryClient();
  const [all, setAll] = useStoredFlag(tabStorage, key);
  const planId = progress?.id ?? "";
  const set = useMutation({
    mutationFn: (autonomy: Autonomy) => track.setAutonomy({ plan_id: planId, autonomy }),
    onMutate: async (autonomy) => {
      const { progressKey: queryKey } = track;
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<Progress>(queryKey, (progress) => progress && { ...progress, autonomy });
    },
    onError: (error) => console.error("The autonomy could not be changed", error),
    onSettled: () => queries.invalidateQueries({ queryKey: track.progressKey }),
  });
  const said = planId === "" ? undefined : progress?.autonomy;
  const level: Autonomy = said ?? (all ? "run_all" : "ask_for_everything");
  const choose = (next: Autonomy) => {
    setAll(next === "run_all");
    if (planId !== "") set.mutate(next);
  };
  return { level, all: level === "run_all", choose, error: set.error };
}
