import { useQueryClient } from "@tanstack/react-query";
import { changesKey } from "../api/changes";

/** Reloads all of a project's data because another change is now the current one. */
export function useReloadProject(projectId: number): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const about = (key: readonly unknown[]) => key.includes(projectId);
    // The cached data belongs to the previous change: it must not be shown while the new answer loads.
    void queries.resetQueries({
      predicate: ({ queryKey }) => about(queryKey) && !KEPT.has(String(queryKey[0])),
    });
    await queries.invalidateQueries({ queryKey: ["project-states", projectId] });
    await queries.invalidateQueries({ queryKey: changesKey(projectId) });
  };
}

/** Queries that do not depend on the change: the project, its costs and its changes, its stages, its sandbox. */
const KEPT = new Set(["projects", "project-states", "sandbox"]);
