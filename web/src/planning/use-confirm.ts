import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { documentsQuery, type Standing, standingOf } from "../api/documents";
import { type PlanKind, triggerPlan } from "../api/planning";
import type { StageId } from "../api/project-states";
import { useOnce } from "../lib/use-once";
import { useAdvance } from "../stages/use-stages";

/**
 * Confirms a stage that is followed by a plan. An existing plan is replaced only if its owner says so: `asks` is that
 * plan while they are asked.
 */
export function useConfirm(projectId: number, stage: StageId, next: PlanKind) {
  const queries = useQueryClient();
  const advance = useAdvance(projectId);
  const [asks, setAsks] = useState<Standing>();
  const confirm = useOnce({
    mutationFn: async (write: boolean) => {
      if (write) {
        await triggerPlan(next).catch((error: unknown) =>
          console.error(`The ${next} plan could not be asked for`, error),
        );
      }
      await advance(stage, next);
    },
  });
  const look = useMutation({
    mutationFn: async () => {
      // The plan's state may have changed since it was last read.
      const documents = await queries.fetchQuery({ ...documentsQuery(projectId), staleTime: 0 });
      return standingOf(documents, next);
    },
    onSuccess: (plan) => {
      if (plan && plan.version > 0) setAsks(plan);
      else confirm.mutate(true);
    },
  });
  const answer = (write: boolean) => {
    setAsks(undefined);
    confirm.mutate(write);
  };
  return {
    confirm: () => look.mutate(),
    error: confirm.error ?? look.error,
    busy: look.isPending || confirm.isPending || confirm.isSuccess,
    asks: asks && {
      standing: asks,
      onClose: () => setAsks(undefined),
      onKeep: () => answer(false),
      onWrite: () => answer(true),
    },
  };
}
