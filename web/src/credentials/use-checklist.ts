import { useQuery } from "@tanstack/react-query";
import { credentialsQuery } from "../api/credentials";
import { requirementsQuery } from "../api/planning";
import { checklist, type Needed } from "./needed";

interface NamedCredentials {
  /** The credentials that the requirements name; none on a server that stores no credentials. */
  needed: Needed[];
  /** Whether the requirements are complete, so that they name no further ones. */
  complete: boolean;
  /** Whether it is not known which of them the project has; all of them then count as missing. */
  unread: boolean;
  reading: boolean;
  read: () => void;
}

/** The credentials that the requirements name, and which of them the project has. */
export function useChecklist(projectId: number): NamedCredentials {
  const kept = useQuery(credentialsQuery(projectId));
  const requirements = useQuery(requirementsQuery(projectId));
  return {
    needed: kept.data === null ? [] : checklist(requirements.data?.content ?? "", kept.data ?? []),
    complete: requirements.data?.ready_to_continue === true,
    unread: kept.data === undefined,
    reading: kept.isFetching,
    read: () => void kept.refetch(),
  };
}
