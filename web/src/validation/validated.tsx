import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { documentationKey, requestDocumentation } from "../api/documentation";
import { documentsKey } from "../api/documents";
import type { Step } from "../api/execution";
import { completeStage, projectStateQuery } from "../api/project-states";
import { checksKey, type Proved, provedQuery, runChecksAgain } from "../api/validation";
import { paths } from "../lib/paths";
import { counted } from "../lib/text";
import { useOnce } from "../lib/use-once";
import { STAGE } from "../stages/stages";
import { endedRuns } from "../steps/rules";
import { Button, completing } from "../ui/button";
import { OutOfDate, Renew } from "../versions/out-of-date";

interface ValidatedProps {
  projectId: number;
  /** Whether the stage is completed. */
  completed: boolean;
  checks: readonly Step[];
}

/** Shown when every check has passed: continues to the documentation, or runs the checks again that are outdated. */
export function Validated({ projectId, completed, checks }: ValidatedProps) {
  const proved = useQuery(provedQuery(projectId, endedRuns(checks)));
  const outdated = proved.data?.outdated ?? [];
  const navigate = useNavigate();
  const queries = useQueryClient();
  const state = useQuery(projectStateQuery(projectId));
  const renew = async () => {
    await requestDocumentation(new AbortController().signal).catch((error: unknown) =>
      console.error("The documentation could not be renewed", error),
    );
    const keys = [documentationKey(projectId), documentsKey(projectId)];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const finish = useOnce({
    mutationFn: () => completeStage(projectId, STAGE.validation),
    onError: (error) => console.error("The validation could not be marked completed", error),
    onSuccess: () => {
      // A change ends with its documentation; the first one is written when a user opens it.
      if (state.data?.change) void renew();
    },
    onSettled: async () => {
      void queries.invalidateQueries({ queryKey: projectStateQuery(projectId).queryKey });
      await navigate(paths.home(projectId));
    },
  });
  const view = (
    <Button
      kind={completing(completed)}
      className="ml-auto"
      pending={finish.isPending}
      onClick={() => finish.mutate()}
    >
      View Project Documentation
    </Button>
  );
  if (outdated.length > 0) return <Outdated projectId={projectId} outdated={outdated} beside={view} />;
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-ok-wash px-4.5 py-3">
      <p className="flex items-center gap-2 font-[560] text-ok">
        <CircleCheck size={16} aria-hidden className="shrink-0" /> All validation steps completed
        successfully!
      </p>
      {view}
    </div>
  );
}

interface OutdatedProps {
  projectId: number;
  outdated: Proved["outdated"];
  beside: ReactNode;
}

/** Shown when checks passed before a step ran again: what they saw may be gone. */
function Outdated({ projectId, outdated, beside }: OutdatedProps) {
  const queries = useQueryClient();
  const again = useOnce({
    mutationFn: () => runChecksAgain(outdated),
    onSettled: () => queries.invalidateQueries({ queryKey: checksKey(projectId) }),
  });
  const checks = counted(outdated.length, "check");
  const they = outdated.length === 1 ? "it proves" : "they prove";
  return (
    <div className="shrink-0 border-line border-t">
      <OutOfDate
        why={`A step ran again after ${checks} passed, so ${they} nothing about what exists now.`}
        action={
          <>
            <Renew
              label={[`Run ${checks} again`, "Running..."]}
              busy={again.isPending}
              onRenew={() => again.mutate()}
            />
            {beside}
          </>
        }
        error={again.error}
      />
    </div>
  );
}
