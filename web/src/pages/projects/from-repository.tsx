/** Beginning a project with the files of a repository: choosing it, seeing what is taken, and creating the project. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { problemText } from "../../api/errors";
import type { PassedProject } from "../../api/project-route";
import { createProject, type Project, projectsQuery } from "../../api/projects";
import {
  type FilesToImport,
  filesToImport,
  type GitHubRepositories,
  importFiles,
  installationRepositoriesQuery,
} from "../../api/repository";
import { paths } from "../../lib/paths";
import { Permissions } from "../../repository/permissions";
import { MoreRepositories, NoRepository, RepositorySelect } from "../../repository/repositories";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Scroll } from "../../ui/scroll";
import { DocumentSkeleton, Failure, Problem } from "../../ui/states";
import { BranchField } from "./branch";
import { FIELD, MAX_NAME_CHARS } from "./project-form";
import { Taken } from "./taken";

const TITLE = "Begin From a Repository";

export function FromRepository({ onClose }: { onClose: () => void }) {
  const github = useQuery(installationRepositoriesQuery());
  const check = () => void github.refetch();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog title={TITLE} onClose={() => !busy && onClose()}>
      <Scroll label={TITLE} className="min-h-0 overflow-y-auto focus-visible:-outline-offset-2">
        {github.isPending && <DocumentSkeleton label="Asking GitHub..." />}
        {github.isError && !github.data && (
          <Failure title="GitHub could not be asked" error={github.error} retry={check} />
        )}
        {github.data &&
          (github.data.missing_permissions.length > 0 ? (
            <Permissions github={github.data} checking={github.isFetching} onCheck={check}>
              To begin with files that you have, Groundcrew needs permission to read code
            </Permissions>
          ) : (
            <Choice github={github.data} checking={github.isFetching} onCheck={check} onBusy={setBusy} />
          ))}
      </Scroll>
    </Dialog>
  );
}

interface ChoiceProps {
  github: GitHubRepositories;
  checking: boolean;
  onCheck: () => void;
  onBusy: (busy: boolean) => void;
}

/** The repository, its branch, and then what would be taken. */
function Choice({ github, checking, onCheck, onBusy }: ChoiceProps) {
  const repositoryId = useId();
  const [chosen, setChosen] = useState<string>();
  const [named, setNamed] = useState<string>();
  const repository = github.repositories.find((it) => it.full_name === chosen) ?? github.repositories[0];
  const branch = named ?? repository?.default_branch ?? "";
  const look = useMutation({
    mutationFn: (name: string) => filesToImport(name, branch.trim()),
    onError: (error) => console.error("The repository could not be read", error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (repository && branch.trim() !== "") look.mutate(repository.full_name);
  };
  return (
    <div className="flex flex-col gap-4 px-5 pt-2 pb-5">
      <p className="text-ink-2 text-note">
        The project's workspace begins with the files of a branch, and its agents build on them. Keys, state
        and what looks like a secret are left out. Nothing changes in the repository.
      </p>
      {repository ? (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <label htmlFor={repositoryId} className="flex flex-col gap-1.5 text-note">
            <span className="font-[550]">Repository</span>
            <RepositorySelect
              id={repositoryId}
              first
              repositories={github.repositories}
              value={repository.full_name}
              onChoose={(fullName) => {
                setChosen(fullName);
                setNamed(undefined);
                look.reset();
              }}
            />
          </label>
          <BranchField
            repository={repository}
            value={branch}
            onChoose={(name) => {
              setNamed(name);
              look.reset();
            }}
          />
          <Button
            type="submit"
            kind={look.data ? "plain" : "signal"}
            className="w-fit"
            disabled={look.isPending || branch.trim() === ""}
          >
            {look.isPending ? "Reading the files..." : look.data ? "Look again" : "Look at the files"}
          </Button>
        </form>
      ) : (
        <NoRepository account={github.account} />
      )}
      <MoreRepositories github={github} checking={checking} onCheck={onCheck} />
      {look.isError && <Problem>The files could not be shown. {problemText(look.error)}</Problem>}
      {look.data && <Creation key={look.data.commit} shown={look.data} onBusy={onBusy} />}
    </div>
  );
}

/** The name of the project, which is created with what was shown. */
function Creation({ shown, onBusy }: { shown: FilesToImport; onBusy: (busy: boolean) => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(shown.repository.split("/")[1] ?? "");
  // A project whose files did not arrive gets them at the next attempt.
  const made = useRef<Project>(undefined);
  const create = useMutation({
    mutationFn: async () => {
      made.current ??= await createProject({ name: name.trim(), description: null });
      await importFiles(made.current.id, shown);
      return made.current;
    },
    onMutate: () => onBusy(true),
    onError: (error) => console.error("The project did not begin with the files", error),
    onSettled: () => {
      onBusy(false);
      void queries.invalidateQueries({ queryKey: projectsQuery().queryKey, exact: true });
    },
    onSuccess: async (project) => {
      const passed: PassedProject = { project, skipLoading: true };
      await navigate(paths.project(project.id), { state: passed });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Taken shown={shown} />
      <label className="flex flex-col gap-1.5 text-note">
        <span className="font-[550]">Project Name</span>
        <input
          required
          maxLength={MAX_NAME_CHARS}
          value={name}
          readOnly={create.isPending || made.current !== undefined}
          onChange={(event) => setName(event.target.value)}
          className={FIELD}
        />
      </label>
      {create.isError && (
        <Problem>
          {made.current
            ? "The project is there, but its files are not. Create it again to bring them. "
            : "The project was not created. "}
          {problemText(create.error)}
        </Problem>
      )}
      <Button
        kind="signal"
        type="submit"
        className="ml-auto"
        disabled={create.isPending || name.trim() === ""}
      >
        {create.isPending ? "Creating..." : "Create Project"}
      </Button>
    </form>
  );
}
