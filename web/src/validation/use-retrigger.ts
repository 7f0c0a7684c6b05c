import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Progress } from "../api/execution";
import { checksKey, triggerValidation } from "../api/validation";
import { browserStorage } from "../lib/storage";
import { countRetry, retriesOf } from "../steps/retries";
import { autoTrigger } from "../steps/rules";

/** Triggers validation again when a check has failed, as often as each check's count allows; returns whether it did. */
export function useRetrigger(projectId: number, progress: Progress | undefined): boolean {
  const queries = useQueryClient();
  // Acts once on each set of failures, however often it is polled.
  const handled = useRef(new Set<string>());
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!progress?.id) return;
    const planId = progress.id;
    const failed = autoTrigger(progress.steps, (step) =>
      retriesOf(browserStorage, projectId, planId, step.step_number),
    );
    const state = [planId, ...failed.map((step) => `${step.step_number}.${step.attempt}`)].join(":");
    if (failed.length === 0 || handled.current.has(state)) return;
    handled.current.add(state);
    for (const step of failed) countRetry(browserStorage, projectId, planId, step.step_number);
    setDone(true);
    void triggerValidation(failed)
      .catch((error: unknown) => {
        console.error("Validation could not be triggered again", error);
        handled.current.delete(state);
      })
      .finally(() => queries.invalidateQueries({ queryKey: checksKey(projectId) }));
  }, [projectId, progress, queries]);
  return done && progress?.steps.some((step) => step.status === "in_progress") === true;
}
