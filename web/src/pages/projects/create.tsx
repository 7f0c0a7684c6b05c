import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { problemText } from "../../api/errors";
import { createProject, projectsQuery } from "../../api/projects";
import type { PassedProject } from "../../lib/project-route";
import { paths } from "../../paths";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Problem } from "../../ui/states";

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 2_000;
const FIELD =
  "w-full rounded-control border border-line-strong bg-raised px-3 py-2 placeholder:text-ink-3 read-only:text-ink-3";

export function CreateProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => createProject({ name: name.trim(), description: description.trim() || null }),
    onSuccess: async (project) => {
      void queries.invalidateQueries({ queryKey: projectsQuery().queryKey, exact: true });
      const passed: PassedProject = { project, skipLoading: true };
      await navigate(paths.project(project.id), { state: passed });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !create.isPending) create.mutate();
  };
  return (
    <Dialog title="Create New Project" onClose={() => !create.isPending && onClose()}>
      <form onSubmit={submit} className="flex flex-col gap-4 px-5 pt-3 pb-5">
        <label className="flex flex-col gap-1.5 text-note">
          <span className="font-[550]">Project Name</span>
          <input
            data-first
            required
            maxLength={MAX_NAME_CHARS}
            value={name}
            readOnly={create.isPending}
            onChange={(event) => setName(event.target.value)}
            className={FIELD}
          />
        </label>
        <label className="flex flex-col gap-1.5 text-note">
          <span>
            <span className="font-[550]">Description</span> <span className="text-ink-3">(Optional)</span>
          </span>
          <textarea
            rows={3}
            maxLength={MAX_DESCRIPTION_CHARS}
            value={description}
            readOnly={create.isPending}
            onChange={(event) => setDescription(event.target.value)}
            className={`${FIELD} resize-y`}
          />
        </label>
        <p className="text-ink-2 text-small">
          You will be asked to provide cloud provider credentials during the requirements gathering phase.
        </p>
        {create.isError && <Problem>{problemText(create.error)}</Problem>}
        <div className="mt-1 flex justify-end gap-2.5">
          <Button disabled={create.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="signal" type="submit" disabled={create.isPending || name.trim() === ""}>
            {create.isPending ? "Creating..." : "Create Project"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
