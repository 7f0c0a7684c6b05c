import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useNavigate } from "react-router";
import { completeStage, projectStateQuery } from "../api/project-states";
import { paths } from "../paths";
import { Button } from "../ui/button";
import { STAGE } from "../workspace/stages";

/** Every check has passed: on to the documentation. */
export function Validated({ projectId }: { projectId: number }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const finish = useMutation({
    mutationFn: () => completeStage(projectId, STAGE.validation),
    onError: (error) => console.error("The validation could not be marked completed", error),
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
      <Button kind="signal" className="ml-auto" disabled={finish.isPending} onClick={() => finish.mutate()}>
        View Project Documentation
      </Button>
    </div>
  );
}
