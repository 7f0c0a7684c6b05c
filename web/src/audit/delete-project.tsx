import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { problemText } from "../api/errors";
import { deleteProject, type Project } from "../api/projects";
import { paths } from "../paths";
import { Button } from "../ui/button";
import { ConfirmByName } from "../ui/confirm-by-name";
import { Problem } from "../ui/states";

/** The end of a project, for its owner to choose. */
export function DeleteProject({ project }: { project: Project }) {
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const gone = useMutation({
    mutationFn: () => deleteProject(project.id),
    onSuccess: async () => {
      await navigate(paths.projects(), { replace: true });
      queries.removeQueries({ queryKey: ["projects", project.id] });
      await queries.invalidateQueries({ queryKey: ["projects"] });
    },
  });
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
      {asked && (
        <ConfirmByName
          title="Delete this project?"
          description="This cannot be undone."
          name={project.name}
          action={["Delete project", "Deleting..."]}
          busy={gone.isPending}
          onClose={() => setAsked(false)}
          onConfirm={() => gone.mutate()}
        >
          <ul className="list-disc pl-5">
            <li>Its sandbox stops, and its files and backups are deleted.</li>
            <li>Its documents, conversations, credentials and audit are deleted.</li>
            <li>
              Servers that it made at your provider keep running, and keep costing what they cost there.
            </li>
            <li>Your credit history keeps its entries.</li>
          </ul>
          {gone.isError && <Problem>The project could not be deleted. {problemText(gone.error)}</Problem>}
        </ConfirmByName>
      )}
    </section>
  );
}
