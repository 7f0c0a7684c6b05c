import { useNavigate } from "react-router";
import { beginChange, type NewChange } from "../api/changes";
import { dropChecked } from "../api/checked-draft";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { preparedMessages } from "../stages/prepared-messages";
import { STAGE } from "../stages/stages";
import { useReloadProject } from "./use-reload-project";

/** The key of a request that is being typed. */
export const wishDraft = (projectId: number) => `${projectId}:change`;

/** Begins a change with a request, and passes the request to the requirements agent. */
export function useBeginChange(projectId: number) {
  const navigate = useNavigate();
  const reload = useReloadProject(projectId);
  return useOnce({
    mutationFn: (change: NewChange) => beginChange(projectId, change),
    onSuccess: async (change) => {
      dropChecked(wishDraft(projectId));
      await reload();
      preparedMessages.put({ projectId, agent: "requirements-gatherer", message: change.wish });
      await navigate(paths.project(projectId, STAGE.requirements));
    },
  });
}
