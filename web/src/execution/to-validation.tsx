import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { problemText } from "../api/errors";
import { requestValidationPlan, triggerValidation } from "../api/validation";
import { useLeaving } from "../lib/use-leaving";
import { useOnce } from "../lib/use-once";
import { STAGE } from "../stages/stages";
import { startValidation } from "../stages/start-validation";
import { useAdvance } from "../stages/use-stages";
import { Button, completing } from "../ui/button";

interface ToValidationProps {
  projectId: number;
  /** Whether the stage is completed: then its owner may continue, but does not have to. */
  completed: boolean;
  automatic: boolean;
}

/** Shown when every step is completed: continues to validation, by hand or automatically. */
export function ToValidation({ projectId, completed, automatic }: ToValidationProps) {
  const { move, status } = useMove(projectId);
  const { mutate, isIdle } = move;
  const busy = move.isPending || move.isSuccess;
  useEffect(() => {
    if (automatic && isIdle) mutate();
  }, [automatic, isIdle, mutate]);
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-ok-wash px-4.5 py-3">
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-[560] text-ok">
          <CircleCheck size={16} aria-hidden /> All execution steps completed successfully!
        </p>
        {automatic && !move.isError && (
          <p className="text-ink-2 text-small">Auto-approve is on: validation starts automatically.</p>
        )}
        <p role="status" className="flex items-center gap-2 text-ink-2 text-note empty:hidden">
          {busy && status && (
            <>
              <LoaderCircle size={15} aria-hidden className="shrink-0 animate-turn" /> {status}
            </>
          )}
        </p>
        {move.isError && (
          <p role="alert" className="flex items-center gap-2 text-bad text-note">
            <CircleAlert size={15} aria-hidden className="shrink-0" /> {problemText(move.error)}
          </p>
        )}
      </div>
      <Button kind={completing(completed)} className="ml-auto" pending={busy} onClick={() => mutate()}>
        Proceed to Validation Stage
      </Button>
    </div>
  );
}

/** Continues to validation; a user who leaves the page in the middle of the reply ends the reply. */
function useMove(projectId: number) {
  const [status, setStatus] = useState<string>();
  const advance = useAdvance(projectId);
  const leaving = useLeaving();
  const move = useOnce({
    mutationFn: () =>
      startValidation({
        plan: () => requestValidationPlan(leaving()),
        trigger: () => triggerValidation(),
        complete: () => advance(STAGE.execution, STAGE.validation),
        say: setStatus,
      }),
    onError: (error) => console.error("Moving to validation failed", error.cause ?? error),
  });
  return { move, status };
}
