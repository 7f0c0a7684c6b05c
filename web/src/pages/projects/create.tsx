import { useQueryClient } from "@tanstack/react-query";
import { FolderGit2 } from "lucide-react";
import { useNavigate } from "react-router";
import type { PassedProject } from "../../api/project-route";
import { createProject, projectsQuery } from "../../api/projects";
import { paths } from "../../lib/paths";
import { useOnce } from "../../lib/use-once";
import { Button } from "../../ui/button";
import { ProjectForm } from "./project-form";

interface CreateProjectProps {
  name?: string;
  description?: string;
  /** Called if the user would rather begin with the files of a repository. */
  onRepository: () => void;
  onClose: () => void;
}

export function CreateProject({ name = "", description = "", onRepository, onClose }: CreateProjectProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useOnce({
    mutationFn: createProject,
    onSuccess: async (project) => {
      void queries.invalidateQueries({ queryKey: projectsQuery().queryKey, exact: true });
      const passed: PassedProject = { project, skipLoading: true };
      await navigate(paths.project(project.id), { state: passed });
    },
  });
  return (
    <ProjectForm
      title="Create New Project"
      name={name}
      description={description}
      action={["Create Project", "Creating..."]}
      pending={create.isPending}
      error={create.error}
      onSubmit={(name, description) => create.mutate({ name, description: description || null })}
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
