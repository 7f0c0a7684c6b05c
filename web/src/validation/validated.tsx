import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useNavigate } from "react-router";
import { documentationKey, requestDocumentation } from "../api/documentation";
import { documentsKey } from "../api/documents";
import { completeStage, projectStateQuery } from "../api/project-states";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { STAGE } from "../stages/stages";
import { Button, completing } from "../ui/button";

/** Shown when every check has passed: continues to the documentation. */
export function Validated({ projectId, completed }: { projectId: number; completed: boolean }) {
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
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-ok-wash px-4.5 py-3">
      <p className="flex items-center gap-2 font-[560] text-ok">
        <CircleCheck size={16} aria-hidden className="shrink-0" /> All validation steps completed
        successfully!
      </p>
      <Button
        kind={completing(completed)}
        className="ml-auto"
        pending={finish.isPending}
        onClick={() => finish.mutate()}
      >
        View Project Documentation
      </Button>
    </div>
  );
}
