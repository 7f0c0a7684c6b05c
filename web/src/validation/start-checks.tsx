import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { checksKey, triggerValidation, validationPlanQuery } from "../api/validation";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { CardFooter } from "../ui/card";

/**
 * Starts the checks of a plan that was written but not started, for example after a conversation with the validator.
 */
export function StartChecks({ projectId }: { projectId: number }) {
  const queries = useQueryClient();
  const plan = useQuery(validationPlanQuery(projectId));
  const start = useOnce({
    mutationFn: async () => {
      const { status, detail } = await triggerValidation();
      if (status !== "success") throw new Error(detail);
    },
    onError: (error) => console.error("The checks could not be started", error),
    onSettled: () => queries.invalidateQueries({ queryKey: checksKey(projectId) }),
  });
  if (!plan.data?.plan) return null;
  return (
    <CardFooter>
      {start.isError ? (
        <p role="alert" className="flex items-center gap-2 text-bad text-note">
          <CircleAlert size={15} aria-hidden className="shrink-0" /> Failed to start validation.
        </p>
      ) : (
        <span className="text-ink-2 text-small">The plan is written; its checks have not been started.</span>
      )}
      <Button
        kind="signal"
        className="ml-auto"
        pending={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        {start.isPending || start.isSuccess ? "Starting the checks..." : "Start Validation"}
      </Button>
    </CardFooter>
  );
}
