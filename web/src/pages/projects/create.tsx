import { useQueryClient } from "@tanstack/react-query";
import { FolderGit2 } from "lucide-react";
import { useNavigate } from "react-router";
import { useKept } from "../../api/checked-draft";
import { createProject, projectsQuery } from "../../api/projects";
import { paths } from "../../lib/paths";
import { useOnce } from "../../lib/use-once";
import type { PassedProject } from "../../project/route";
import { Button } from "../../ui/button";
import { ProjectForm } from "./project-form";

interface CreateProjectProps {
  name?: string;
  description?: string;
  /** Called if the user would rather begin with the files of a repository. */
  onRepository: () => void;
  onClose: () => void;
}

/** What is typed for the new project, until it is created or canceled. */
interface Typed {
  name: string;
  description: string;
}

const DRAFT = "new-project";

function asTyped(value: unknown): Typed | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const name: unknown = Reflect.get(value, "name");
  const description: unknown = Reflect.get(value, "description");
  return typeof name === "string" && typeof description === "string" ? { name, description } : undefined;
}

/** Creates a project. What is typed outlives the dialog, unless it began with an example. */
export function CreateProject({ name, description, onRepository, onClose }: CreateProjectProps) {
  const [typed, keep] = useKept(DRAFT, asTyped);
  const example = name !== undefined;
  const first = example ? { name, description: description ?? "" } : typed;
  const forget = () => {
    if (!example) keep(undefined, "");
  };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useOnce({
    mutationFn: createProject,
    onSuccess: async (project) => {
      forget();
      void queries.invalidateQueries({ queryKey: projectsQuery().queryKey, exact: true });
      const passed: PassedProject = { project, skipLoading: true };
      await navigate(paths.project(project.id), { state: passed });
    },
  });
  return (
    <ProjectForm
      title="Create New Project"
      name={first?.name ?? ""}
      description={first?.description ?? ""}
      action={["Create Project", "Creating..."]}
      pending={create.isPending}
      error={create.error}
      onTyped={(name, description) => {
        if (example) return;
        const none = name === "" && description === "";
        keep(none ? undefined : { name, description }, `${name}\n${description}`);
      }}
      onSubmit={(name, description) => create.mutate({ name, description: description || null })}
      onCancel={() => {
        forget();
        onClose();
      }}
      onClose={onClose}
      aside={
        <Button kind="quiet" size="small" pending={create.isPending} onClick={onRepository}>
          <FolderGit2 size={15} aria-hidden /> Begin From a Repository
        </Button>
      }
    >
      You will be asked to provide cloud provider credentials during the requirements gathering phase.
    </ProjectForm>
  );
}
