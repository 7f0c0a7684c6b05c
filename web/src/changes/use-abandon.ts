import { useNavigate } from "react-router";
import { abandonChange } from "../api/changes";
import { paths } from "../lib/paths";
import { useOnce } from "../lib/use-once";
import { useReloadProject } from "./use-reload-project";

/** Ends a change of which nothing remains, and shows the list of changes. */
export function useAbandon(projectId: number, number: number) {
  const navigate = useNavigate();
  const reload = useReloadProject(projectId);
  return useOnce({
    mutationFn: () => abandonChange(projectId, number),
    onSuccess: async () => {
      await reload();
      await navigate(paths.home(projectId, "changes"));
    },
  });
}
