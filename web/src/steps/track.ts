/**
 * A list of steps in the server's state machine: the execution's steps, or the validation's checks.
 *
 * The same cards show both, with the same actions; a track defines the calls for them.
 */
import type { QueryKey } from "@tanstack/react-query";
import {
  type Approval,
  type AutonomyRequest,
  approveStep,
  cancelStep,
  editStep,
  outputQuery,
  progressKey,
  type Step,
  type StepEdit,
  type StepName,
  setAutonomy,
} from "../api/execution";
import type { OutputQuery } from "../api/output";
import {
  approveCheck,
  cancelCheck,
  checkOutputQuery,
  checksKey,
  editCheck,
  setCheckAutonomy,
} from "../api/validation";

export interface Track {
  name: "execution" | "validation";
  /** The agent that writes the commands, and whose chat is next to the steps. */
  agent: "executor" | "validator";
  projectId: number;
  /** The key of the list of steps in the query cache. */
  progressKey: QueryKey;
  decide: (decision: Approval) => Promise<Step>;
  /** Replaces a waiting command with the owner's text. */
  edit: (edit: StepEdit) => Promise<Step>;
  /** Sets what the owner is asked about from now on. */
  setAutonomy: (request: AutonomyRequest) => Promise<void>;
  /** Ends a running step. */
  cancel: (name: StepName) => Promise<Step>;
  /** The whole output of a step. */
  output: (step: Step, live: boolean) => OutputQuery;
}

export const executionTrack = (projectId: number): Track => ({
  name: "execution",
  agent: "executor",
  projectId,
  progressKey: progressKey(projectId),
  decide: approveStep,
  edit: editStep,
  setAutonomy,
  cancel: cancelStep,
  output: (step, live) => outputQuery(projectId, step, live),
});

export const validationTrack = (projectId: number): Track => ({
  name: "validation",
  agent: "validator",
  projectId,
  progressKey: checksKey(projectId),
  decide: approveCheck,
  edit: editCheck,
  setAutonomy: setCheckAutonomy,
  cancel: cancelCheck,
  output: (step, live) => checkOutputQuery(projectId, step, live),
});
