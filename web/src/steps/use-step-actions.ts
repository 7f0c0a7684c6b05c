import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { isRefusal, isTransient, problemText } from "../api/errors";
import type { Progress, Step } from "../api/execution";
import { type StepAction, stateKey } from "./rules";
import type { Track } from "./track";

export type BusyAction = StepAction | "cancel";

/** A decision that did not reach the step. */
export interface ActProblem {
  action: BusyAction;
  /** Why, for people. */
  text: string;
  /** The reason that was typed for a rejection. */
  reason: string | undefined;
  /** Whether the command had changed since it was shown. */
  changed: boolean;
  /** The state of the step after the refusal: once it changes, the problem no longer applies. */
  state: string | undefined;
}

/** The state of a step's calls, for its card. */
export interface StepActions {
  /** The current action, by step number. */
  busy: Readonly<Record<number, BusyAction>>;
  /** The last decision on a step if it failed, by step number. */
  problems: Readonly<Record<number, ActProblem>>;
  /** `reason` is for a rejection: what the agent should do differently. Returns whether the server carried it out. */
  act: (planId: string, step: Step, action: BusyAction, reason?: string) => Promise<boolean>;
}

/** The problem with the last decision on this step, unless the step has moved on since. */
export function problemOf({ problems }: StepActions, step: Step): ActProblem | undefined {
  const problem = problems[step.step_number];
  const current = problem?.state === undefined || problem.state === stateKey(step);
  return current ? problem : undefined;
}

/** Approves, rejects, re-executes and cancels; reports what failed and reads the list again. */
export function useStepActions(track: Track): StepActions {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<Record<number, BusyAction>>({});
  const [problems, setProblems] = useState<Record<number, ActProblem>>({});

  const act = useCallback(
    async (planId: string, step: Step, action: BusyAction, reason?: string) => {
      const queryKey = track.progressKey;
      const number = step.step_number;
      setBusy((busy) => ({ ...busy, [number]: action }));
      setProblems((problems) => without(problems, number));
      await queries.cancelQueries({ queryKey });
      const reread = async () => {
        await queries.invalidateQueries({ queryKey });
        setBusy((busy) => without(busy, number));
      };
      try {
        const result = await twice(() => call(track, planId, step, action, reason));
        queries.setQueryData<Progress>(queryKey, (progress) => progress && withStep(progress, result));
        void reread();
        return true;
      } catch (error) {
        console.error(`Step ${number} could not be changed`, error);
        const changed = isRefusal(error, "command_changed");
        const problem = { action, text: problemText(error), reason, changed, state: undefined };
        setProblems((problems) => ({ ...problems, [number]: problem }));
        const reading = queries.getQueryState(queryKey)?.dataUpdatedAt;
        await reread();
        const list = queries.getQueryState<Progress>(queryKey);
        const now =
          list?.dataUpdatedAt !== reading && list?.data?.steps.find((one) => one.step_number === number);
        // A refusal is about the state that the next reading shows; a failed call is about the one that was shown.
        const about = isTransient(error) ? step : now;
        if (about)
          setProblems((problems) => ({ ...problems, [number]: { ...problem, state: stateKey(about) } }));
        return false;
      }
    },
    [track, queries],
  );
  return { busy, problems, act };
}

function call(
  track: Track,
  planId: string,
  step: Step,
  action: BusyAction,
  reason: string | undefined,
): Promise<Step> {
  // The decision applies to the attempt and the command on the screen, and to nothing that came after them.
  const name = { plan_id: planId, step_number: step.step_number, attempt: step.attempt };
  if (action === "cancel") return track.cancel(name);
  return track.decide({
    ...name,
    approved: action !== "reject",
    status: step.status,
    ...(reason ? { reason } : {}),
    ...(step.command_sha256 ? { command_sha256: step.command_sha256 } : {}),
    ...(step.rollback ? { rollback_sha256: step.rollback.sha256 } : {}),
  });
}

/**
 * Tries once more if the network or the server failed. A call names its attempt: if it was already carried out, the
 * server answers from its record and runs nothing a second time.
 */
async function twice<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return attempt();
  }
}

/** Replaces the waiting command with the owner's text, for the attempt and the command that were shown. */
export function useEdit(track: Track) {
  const queries = useQueryClient();
  const queryKey = track.progressKey;
  return async (shown: Step, script: string): Promise<void> => {
    const planId = queries.getQueryData<Progress>(queryKey)?.id ?? "";
    await queries.cancelQueries({ queryKey });
    try {
      const edited = await track.edit({
        plan_id: planId,
        step_number: shown.step_number,
        attempt: shown.attempt,
        command_sha256: shown.command_sha256 ?? "",
        script,
      });
      queries.setQueryData<Progress>(queryKey, (progress) => progress && withStep(progress, edited));
    } finally {
      await queries.invalidateQueries({ queryKey });
    }
  };
}

function withStep(progress: Progress, step: Step): Progress {
  return {
    ...progress,
    steps: progress.steps.map((known) => (known.step_number === step.step_number ? step : known)),
  };
}

function without<T>(record: Record<number, T>, number: number): Record<number, T> {
  const { [number]: _, ...rest } = record;
  return rest;
}
