import { useBlocker } from "react-router";
import { projectIdOf } from "../lib/paths";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { nameOf } from "./rows";

/**
 * Asks before the user leaves the project with unsaved text in a file; the browser itself asks before the page
 * closes.
 */
export function Unsaved({ projectId, paths }: { projectId: number; paths: readonly string[] }) {
  const blocker = useBlocker(
    ({ nextLocation }) => paths.length > 0 && projectIdOf(nextLocation.pathname) !== projectId,
  );
  if (blocker.state !== "blocked") return null;
  const stay = () => blocker.reset();
  return (
    <Dialog
      title="Leave with unsaved changes?"
      description={`${paths.map(nameOf).join(", ")}: what you typed is not in the sandbox yet. It stays in this tab until you reload or close it.`}
      onClose={stay}
    >
      <footer className="flex justify-end gap-2.5 px-5 py-4">
        <Button data-first onClick={stay}>
          Stay
        </Button>
        <Button kind="danger" onClick={() => blocker.proceed()}>
          Leave
        </Button>
      </footer>
    </Dialog>
  );
}
