import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { auditQuery } from "../api/audit";
import { changesQuery } from "../api/changes";
import { problemText } from "../api/errors";
import { deleteProject, type Project } from "../api/projects";
import { paths } from "../lib/paths";
import { counted } from "../lib/text";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { ConfirmByName } from "../ui/confirm-by-name";
import { Problem } from "../ui/states";
import { executedSteps } from "./executed";

/** The section in which an owner deletes the project. */
export function DeleteProject({ project }: { project: Project }) {
  const [asked, setAsked] = useState(false);
  return (
    <section className="mt-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line bg-surface px-5 py-4">
      <div className="min-w-0 max-w-prose">
        <h2 className="text-lead">Delete this project</h2>
        <p className="text-ink-2 text-note">
          Deletes its documents, conversations, credentials, backups and this audit. Servers that it made keep
          running.
        </p>
      </div>
      <Button kind="danger" onClick={() => setAsked(true)}>
        Delete project
      </Button>
      {asked && <DeleteDialog project={project} onClose={() => setAsked(false)} />}
    </section>
  );
}

/** Lists what is deleted and what stays, and asks the owner to type the project's name. */
export function DeleteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const queries = useQueryClient();
  // What the project built may still be running: only its owner can tell whether anyone needs it.
  const audit = useQuery({ ...auditQuery(project.id), refetchInterval: false });
  const ran = executedSteps(audit.data ?? []);
  const changes = useQuery({ ...changesQuery(project.id), refetchInterval: false });
  const stands = changes.data?.find((change) => change.is_current);
  const isGone = stands?.kind === "tear_down" && stands.status === "completed";
  const gone = useOnce({
    mutationFn: () => deleteProject(project.id),
    onSuccess: async () => {
      // The list keeps its search and its order.
      if (pathname !== paths.projects()) await navigate(paths.projects(), { replace: true });
      // A query that is still on the page would ask for the project once more.
      queries.removeQueries({ queryKey: ["projects", project.id], type: "inactive" });
      await queries.invalidateQueries({ queryKey: ["projects"], exact: true });
      onClose();
    },
  });
  return (
    <ConfirmByName
      title="Delete this project?"
      description="This cannot be undone."
      name={project.name}
      action={["Delete project", "Deleting..."]}
      busy={gone.isPending}
      onClose={onClose}
      onConfirm={() => gone.mutate()}
    >
      {ran > 0 && !isGone && (
        <div role="alert" className="mb-3 rounded-box bg-bad-wash px-3 py-2 text-bad">
          <p className="font-[560]">
            {counted(ran, "step")} of this project ran. What they built outside the sandbox is not taken down
            with it, and Groundcrew can no longer reach it afterward.
          </p>
          {stands && (
            <Link
              to={paths.home(project.id, "changes")}
              className="underline underline-offset-3"
              onClick={onClose}
            >
              Tear it down first
            </Link>
          )}
        </div>
      )}
      <ul className="list-disc pl-5">
        <li>Its sandbox stops, and its files and backups are deleted.</li>
        <li>Its documents, conversations, credentials and audit are deleted.</li>
        {!isGone && (
          <li>Servers that it created keep running, and your provider keeps charging you for them.</li>
        )}
        <li>Your credit history is kept.</li>
      </ul>
      {gone.isError && <Problem>The project could not be deleted. {problemText(gone.error)}</Problem>}
    </ConfirmByName>
  );
}
