import { useQuery } from "@tanstack/react-query";
import { type Documentation, documentationQuery } from "../api/documentation";
import { isMissing } from "./generate";
import { generationQuery } from "./generation-query";

export type DocumentationState =
  | { is: "loading" }
  | { is: "generating" }
  | { is: "failed"; error: Error; retry: () => void; loaded: boolean }
  | { is: "ready"; documentation: Documentation };

const UNREADABLE = "Failed to load/generate documentation. Please try again.";

/** The project's documentation; viewing it requests the missing parts. */
export function useDocumentation(projectId: number): DocumentationState {
  const current = useQuery(documentationQuery(projectId));
  const missing = current.data !== undefined && isMissing(current.data);
  const generation = useQuery({ ...generationQuery(projectId), enabled: missing });
  if (!current.data) {
    if (!current.isError) return { is: "loading" };
    const error = new Error(UNREADABLE, { cause: current.error });
    return { is: "failed", error, retry: () => void current.refetch(), loaded: false };
  }
  if (!missing) return { is: "ready", documentation: current.data };
  if (generation.isError && !generation.isFetching) {
    const retry = () => void generation.refetch();
    return { is: "failed", error: generation.error, retry, loaded: true };
  }
  return { is: "generating" };
}
