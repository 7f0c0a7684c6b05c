/**
 * What walks the server's one state machine of steps: the execution's steps, or the validation's checks.
 *
 * Both are shown by the same cards and moved by the same clicks; a track says which calls those are.
 */
import { type QueryKey, skipToken, type UseQueryOptions } from "@tanstack/react-query";
import {
  type Approval,
  approveStep,
  cancelStep,
  outputQuery,
  progressKey,
  type Step,
} from "../api/execution";
import { approveCheck, checksKey } from "../api/validation";

type OutputQuery = UseQueryOptions<string, Error, string, (string | number)[]>;

export interface Track {
  name: "execution" | "validation";
  projectId: number;
  /** Where the list of steps lies in the query cache. */
  progressKey: QueryKey;
  decide: (decision: Approval) => Promise<Step>;
  /** Ends a running step; a track without it lets its steps end by themselves. */
  cancel?: (planId: string, stepNumber: number) => Promise<Step>;
  /** The whole output of a step; a track without it has what the list has. */
  output?: (step: Step, live: boolean) => OutputQuery;
}

export const executionTrack = (projectId: number): Track => ({
  name: "execution",
  projectId,
  progressKey: progressKey(projectId),
  decide: approveStep,
  cancel: cancelStep,
  output: (step, live) => outputQuery(projectId, step, live),
});

export const validationTrack = (projectId: number): Track => ({
  name: "validation",
  projectId,
  progressKey: checksKey(projectId),
  decide: approveCheck,
});

/** The query of a step's whole output; it asks nobody where a track has none. */
export function wholeOutput(track: Track, step: Step, live: boolean): OutputQuery {
  return track.output?.(step, live) ?? { queryKey: [track.name, "no output"], queryFn: skipToken };
}
