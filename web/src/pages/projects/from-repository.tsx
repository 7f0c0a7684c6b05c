/**
 * Creates a project with the files of a repository: choosing it, viewing what is imported, and creating the project.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { problemText } from "../../api/errors";
import type { Project } from "../../api/projects";
import { filesToImport, type GitHubRepositories, installationRepositoriesQuery } from "../../api/repository";
import { Permissions } from "../../repository/permissions";
import { MoreRepositories, NameSelect, NoRepository } from "../../repository/repositories";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Scroll } from "../../ui/scroll";
import { DocumentSkeleton, Failure, Problem } from "../../ui/states";
import { BranchField } from "./branch";
import { CreateFromFiles } from "./create-from-files";

const TITLE = "Begin From a Repository";

interface FromRepositoryProps {
  /** The project of an earlier attempt, whose files have not arrived. */
  made: Project | undefined;
  onMade: (project: Project) => void;
  onClose: () => void;
}

export default function FromRepository({ made, onMade, onClose }: FromRepositoryProps) {
  const github = useQuery(installationRepositoriesQuery());
  const check = () => void github.refetch();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog title={TITLE} onClose={() => !busy && onClose()}>
      <Scroll label={TITLE} className="min-h-0 overflow-y-auto focus-visible:-outline-offset-2">
        {github.isPending && <DocumentSkeleton label="Asking GitHub..." />}
        {github.isError && !github.data && (
          <Failure title="GitHub could not be reached" error={github.error} retry={check} />
        )}
        {github.data &&
          (github.data.missing_permissions.length > 0 ? (
            <Permissions
              github={github.data}
              checking={github.isFetching}
              onCheck={check}
              error={github.error}
            >
              To start from your own files, Groundcrew needs permission to read code
            </Permissions>
          ) : (
            <Choice
              github={github.data}
              checking={github.isFetching}
              onCheck={check}
              error={github.error}
              made={made}
              onMade={onMade}
              onBusy={setBusy}
            />
          ))}
      </Scroll>
    </Dialog>
  );
}

interface ChoiceProps {
  github: GitHubRepositories;
  checking: boolean;
  onCheck: () => void;
  error: Error | null;
  made: Project | undefined;
  onMade: (project: Project) => void;
  onBusy: (busy: boolean) => void;
}

/** The repository, its branch, and then the files to import. */
function Choice({ github, checking, onCheck, error, made, onMade, onBusy }: ChoiceProps) {
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
            <NameSelect
              id={repositoryId}
              first
              names={github.repositories.map(({ full_name }) => full_name)}
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
            disabled={branch.trim() === ""}
            pending={look.isPending}
          >
            {look.isPending ? "Reading the files..." : look.data ? "Look again" : "Look at the files"}
          </Button>
        </form>
      ) : (
        <NoRepository account={github.account} />
      )}
      <MoreRepositories github={github} checking={checking} onCheck={onCheck} error={error} />
      {look.isError && <Problem>The files could not be shown. {problemText(look.error)}</Problem>}
      {look.data && (
        <CreateFromFiles
          key={look.data.commit}
          shown={look.data}
          made={made}
          onMade={onMade}
          onBusy={onBusy}
        />
      )}
    </div>
  );
}
