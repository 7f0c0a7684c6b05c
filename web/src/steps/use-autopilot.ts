import { useEffect, useRef } from "react";
import type { Progress, Step } from "../api/execution";
import { browserStorage } from "../lib/storage";
import { countRetry, retriesOf } from "./retries";
import { autoApproval, autoRetry, stateKey } from "./rules";
import type { StepActions } from "./use-step-actions";

interface Autopilot {
  projectId: number;
  progress: Progress | undefined;
  /** The last step that is approved automatically; 0 for none. */
  upTo: number;
  retry: boolean;
  act: StepActions["act"];
}

/** Approves and re-executes steps automatically as far as the two toggles and their rules allow. */
export function useAutopilot({ projectId, progress, upTo, retry, act }: Autopilot) {
  // Acts once on each state of a step, however often it is polled; a failed call allows another try.
  const handled = useRef(new Set<string>());
  useEffect(() => {
    if (!progress?.id) return;
    const planId = progress.id;
    const once = async (step: Step, action: "approve" | "re-execute") => {
      const state = `${planId}:${stateKey(step)}`;
      if (handled.current.has(state)) return;
      handled.current.add(state);
      if (action === "re-execute") countRetry(browserStorage, projectId, planId, step.step_number);
      if (!(await act(planId, step, action))) handled.current.delete(state);
    };
    const waiting = autoApproval(progress.steps, upTo);
    if (waiting) void once(waiting, "approve");
    const failed = retry
      ? autoRetry(progress.steps, (step) => retriesOf(browserStorage, projectId, planId, step.step_number))
      : undefined;
    if (failed) void once(failed, "re-execute");
  }, [projectId, progress, upTo, retry, act]);
}
