import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { abandonChange } from "../api/changes";
import { problemText } from "../api/errors";
import { paths } from "../lib/paths";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";
import { useTurnover } from "./use-turnover";

/** Takes a change back before anything of it ran. */
export function AbandonChange({ projectId, number }: { projectId: number; number: number }) {
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const turnover = useTurnover(projectId);
  const abandon = useMutation({
    mutationFn: () => abandonChange(projectId, number),
    onSuccess: async () => {
      setAsked(false);
      await turnover();
      await navigate(paths.home(projectId, "changes"));
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        Abandon change
      </Button>
      {asked && (
        <Dialog title={`Abandon change ${number}?`} onClose={() => setAsked(false)}>
          <p className="mt-3 text-ink-2">
            The documents say again what they said before it. What this change wrote stays among their
            versions. A change of which a step has run cannot be abandoned.
          </p>
          {abandon.isError && (
            <div className="mt-3">
              <Problem>{problemText(abandon.error)}</Problem>
            </div>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={() => setAsked(false)}>Keep it</Button>
            <Button kind="danger" disabled={abandon.isPending} onClick={() => abandon.mutate()}>
              {abandon.isPending ? "Abandoning..." : "Abandon change"}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
