import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { problemText } from "../../api/errors";
import { MAX_NAME_CHARS } from "../../api/limits";
import { createProject, type Project, projectsQuery } from "../../api/projects";
import { type FilesToImport, importFiles } from "../../api/repository";
import { paths } from "../../lib/paths";
import { useOnce } from "../../lib/use-once";
import type { PassedProject } from "../../project/route";
import { Button } from "../../ui/button";
import { useLimit } from "../../ui/limit";
import { Problem } from "../../ui/states";
import { FIELD } from "./project-form";
import { WhatIsImported } from "./what-is-imported";

interface CreateFromFilesProps {
  shown: FilesToImport;
  /**
   * The project of an earlier attempt whose files did not arrive: it gets these files, and no second project is
   * created.
   */
  made: Project | undefined;
  onMade: (project: Project) => void;
  onBusy: (busy: boolean) => void;
}

/** Asks for the project's name and creates it with the files that were shown. */
export function CreateFromFiles({ shown, made, onMade, onBusy }: CreateFromFilesProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(shown.repository.split("/")[1] ?? "");
  const open = async (project: Project) => {
    const passed: PassedProject = { project, skipLoading: true };
    await navigate(paths.project(project.id), { state: passed });
  };
  // The user may have deleted it in the meantime; if the list does not load, nothing is created.
  const ifThere = async (project: Project) => {
    const all = await queries.fetchQuery({ ...projectsQuery(), staleTime: 0 });
    return all.find(({ id }) => id === project.id) && project;
  };
  const wish = { name: made?.name ?? name.trim(), description: null };
  const create = useOnce({
    mutationFn: async () => {
      const project = (made && (await ifThere(made))) ?? (await createProject(wish));
      onMade(project);
      await importFiles(project.id, shown);
      return project;
    },
    onMutate: () => onBusy(true),
    onError: (error) => console.error("The project did not begin with the files", error),
    onSettled: () => {
      onBusy(false);
      void queries.invalidateQueries({ queryKey: projectsQuery().queryKey, exact: true });
    },
    onSuccess: open,
  });
  const limit = useLimit(name.trim(), MAX_NAME_CHARS);
  const unfit = !made && (name.trim() === "" || limit.isOver);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!unfit && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <WhatIsImported shown={shown} />
      <label className="flex flex-col gap-1.5 text-note">
        <span className="font-[550]">Project Name</span>
        <input
          required
          {...limit.field}
          value={made?.name ?? name}
          readOnly={create.isPending || made !== undefined}
          onChange={(event) => setName(event.target.value)}
          className={FIELD}
        />
        {limit.note}
      </label>
      {create.isError && !made && <Problem>The project was not created. {problemText(create.error)}</Problem>}
      {made && !create.isPending && (
        <Problem>
          The project {made.name} exists, but its files have not arrived. Bring them now, or open it without
          them. {create.isError && problemText(create.error)}
        </Problem>
      )}
      <div className="flex flex-wrap justify-end gap-2.5">
        {made && (
          <Button pending={create.isPending} onClick={() => void open(made)}>
            Open Without Files
          </Button>
        )}
        <Button kind="signal" type="submit" disabled={unfit} pending={create.isPending}>
          {create.isPending ? "Creating..." : made ? "Bring the Files" : "Create Project"}
        </Button>
      </div>
    </form>
  );
}
