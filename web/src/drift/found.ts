import { useQuery } from "@tanstack/react-query";
import { driftQuery } from "../api/drift";
import { driftOf } from "./words";

/** How many checks found drift, if any did. A page that only names it does not keep asking. */
export const useFoundDrift = (projectId: number, enabled = true) =>
  useQuery({ ...driftQuery(projectId), enabled, refetchInterval: false, select: driftOf }).data;
