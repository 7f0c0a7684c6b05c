import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { MAX_NAME_CHARS } from "../../api/limits";
import { changeProject, duplicateProject, type ListedProject } from "../../api/projects";
import { paths } from "../../lib/paths";
import { firstCharacters } from "../../lib/text";
import { useOnce } from "../../lib/use-once";
import type { PassedProject } from "../../project/route";
import { ProjectForm } from "./project-form";

interface EditProps {
  project: ListedProject;
  onClose: () => void;
}

export function RenameProject({ project, onClose }: EditProps) {
  const queries = useQueryClient();
  const rename = useOnce({
    mutationFn: (wish: { name: string; description: string }) => changeProject(project.id, wish),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["projects"] });
      onClose();
    },
  });
  return (
    <ProjectForm
      title="Rename project"
      name={project.name}
      description={project.description ?? ""}
      action={["Save", "Saving..."]}
      pending={rename.isPending}
      error={rename.error}
      onSubmit={(name, description) => rename.mutate({ name, description })}
      onClose={onClose}
    />
  );
}

export function DuplicateProject({ project, onClose }: EditProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const duplicate = useOnce({
    mutationFn: (wish: { name: string; description: string | null }) => duplicateProject(project.id, wish),
    onSuccess: async (made) => {
      void queries.invalidateQueries({ queryKey: ["projects"], exact: true });
      const passed: PassedProject = { project: made, skipLoading: true };
      await navigate(paths.project(made.id), { state: passed });
    },
  });
  return (
    <ProjectForm
      title="Duplicate project"
      name={copyName(project.name)}
      description={project.description ?? ""}
      action={["Duplicate", "Duplicating..."]}
      pending={duplicate.isPending}
      error={duplicate.error}
      onSubmit={(name, description) => duplicate.mutate({ name, description: description || null })}
      onClose={onClose}
    >
      The new project begins with the same requirements and plans
      {project.change > 1 && " as the first build, without its later changes"}. Conversations, credentials,
      steps and files stay with this one.
    </ProjectForm>
  );
}

const COPY = " (copy)";

/** A name that leaves room for the suffix. */
const copyName = (name: string) => firstCharacters(name, MAX_NAME_CHARS - COPY.length) + COPY;
