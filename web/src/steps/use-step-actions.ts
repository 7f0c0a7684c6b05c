import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ApiError, isTransient } from "../api/errors";
import type { Progress, Step } from "../api/execution";
import type { StepAction } from "./rules";
import type { Track } from "./track";

export type BusyAction = StepAction | "cancel";

/** The state of a step's calls, for its card. */
export interface StepActions {
  /** The current action, by step number. */
  busy: Readonly<Record<number, BusyAction>>;
  /** Steps whose command had changed since it was shown when the owner approved it. */
  changed: Readonly<Record<number, true>>;
  /** `reason` is for a rejection: what the agent should do differently. */
  act: (planId: string, step: Step, action: BusyAction, reason?: string) => Promise<boolean>;
}

/** Approves, rejects, re-executes and cancels; logs failures and reads the list again. */
export function useStepActions(track: Track): StepActions {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<Record<number, BusyAction>>({});
  const [changed, setChanged] = useState<Record<number, true>>({});

  const act = useCallback(
    async (planId: string, step: Step, action: BusyAction, reason?: string) => {
      const queryKey = track.progressKey;
      const number = step.step_number;
      setBusy((busy) => ({ ...busy, [number]: action }));
      setChanged((changed) => without(changed, number));
      await queries.cancelQueries({ queryKey });
      try {
        const result = await twice(() => call(track, planId, step, action, reason));
        queries.setQueryData<Progress>(queryKey, (progress) => progress && withStep(progress, result));
        return true;
      } catch (error) {
        console.error(`Step ${number} could not be changed`, error);
        if (error instanceof ApiError && error.code === "command_changed") {
          setChanged((changed) => ({ ...changed, [number]: true }));
        }
        return false;
      } finally {
        await queries.invalidateQueries({ queryKey });
        setBusy((busy) => without(busy, number));
      }
    },
    [track, queries],
  );
  return { busy, changed, act };
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
