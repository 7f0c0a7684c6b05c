import { useQuery } from "@tanstack/react-query";
import { credentialsQuery } from "../api/credentials";
import { requirementsQuery } from "../api/planning";
import { checklist, type Needed } from "./needed";

/** The credentials that the requirements name; undefined until the project's credentials are known. */
export function useChecklist(projectId: number): Needed[] | undefined {
  const kept = useQuery(credentialsQuery(projectId));
  const requirements = useQuery(requirementsQuery(projectId));
  if (!kept.data || !requirements.data) return undefined;
  return checklist(requirements.data.content, kept.data);
}
