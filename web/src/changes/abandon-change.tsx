import { useNavigate } from "react-router";
import { abandonChange } from "../api/changes";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { AskFirst } from "./ask-first";
import { useReloadProject } from "./use-reload-project";

/** Cancels a change before any of it has run. */
export function AbandonChange({ projectId, number }: { projectId: number; number: number }) {
  const navigate = useNavigate();
  const reload = useReloadProject(projectId);
  const abandon = useOnce({
    mutationFn: () => abandonChange(projectId, number),
    onSuccess: async () => {
      await reload();
      await navigate(paths.home(projectId, "changes"));
    },
  });
  return (
    <AskFirst
      open="Abandon change"
      title={`Abandon change ${number}?`}
      keep="Keep it"
      yes={["Abandon change", "Abandoning...", "danger"]}
      act={abandon}
    >
      None of it has run. The documents return to their earlier text, and the text of this change stays among
      their versions.
    </AskFirst>
  );
}
