import { useQueryClient } from "@tanstack/react-query";
import { changesKey } from "../api/changes";

/** Everything that a project says is read again: another change is the current one. */
export function useTurnover(projectId: number): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const about = (key: readonly unknown[]) => key.includes(projectId);
    // What stood there belongs to the change before: it must not be shown while the new answer is on its way.
    void queries.resetQueries({
      predicate: ({ queryKey }) => about(queryKey) && !KEPT.has(String(queryKey[0])),
    });
    await queries.invalidateQueries({ queryKey: ["project-states", projectId] });
    await queries.invalidateQueries({ queryKey: changesKey(projectId) });
  };
}

/** What does not depend on the change: the project, its costs and its changes, its stages, its sandbox. */
const KEPT = new Set(["projects", "project-states", "sandbox"]);
