import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitPullRequestArrow } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { problemText } from "../api/errors";
import { filesToPush, type GitHubRepositories, push, pushesQuery } from "../api/repository";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { PushOutcome } from "./push-outcome";
import { MoreRepositories, NameSelect, NoRepository } from "./repositories";
import { WhatIsPushed } from "./what-is-pushed";
import { pushProblem } from "./words";

interface PushFormProps {
  projectId: number;
  github: GitHubRepositories;
  /** The repository of the last push, or else the one whose files the project began with. */
  last: string | null;
  checking: boolean;
  onCheck: () => void;
  /** Why the last check failed; null if it did not. */
  error: Error | null;
}

/** Chooses a repository, shows the files that would leave, and pushes exactly those. */
export function PushForm({ projectId, github, last, checking, onCheck, error }: PushFormProps) {
  const queries = useQueryClient();
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const usable = github.repositories.filter((repository) => !repository.archived);
  const known = (name: string | null | undefined) =>
    usable.find((repository) => repository.full_name === name)?.full_name;
  const repository = known(chosen) ?? known(last) ?? usable[0]?.full_name;
  const look = useMutation({
    mutationFn: (name: string) => filesToPush(projectId, name),
    onError: (error) => console.error("The files could not be shown", error),
  });
  // A review is about one repository: another one has other files.
  const shown = look.variables === repository ? look.data : undefined;
  const send = useOnce({
    mutationFn: async () => {
      if (!repository || !shown) throw new Error("Choose a repository first.");
      return await push(projectId, repository, shown);
    },
    onSuccess: async () => {
      look.reset();
      await queries.invalidateQueries({ queryKey: pushesQuery(projectId).queryKey });
    },
    onError: (error) => console.error("The push failed", error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.reset();
    if (repository) look.mutate(repository);
  };
  return (
    <div className="flex flex-col gap-4 border-line border-b px-4.5 py-4">
      <p className="text-ink-2">
        Push the workspace's files to a branch and open a pull request with the plan, the steps and who
        approved them. Keys, state and secrets stay here. A push takes 1,000 files and 16 MiB, and files up to
        1 MiB.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        {repository ? (
          <>
            <label htmlFor={id} className="text-ink-2 text-note">
              Repository
            </label>
            <NameSelect
              id={id}
              names={usable.map(({ full_name }) => full_name)}
              value={repository}
              onChoose={setChosen}
            />
            <Button
              type="submit"
              kind={shown ? "plain" : "signal"}
              pending={look.isPending || send.isPending}
            >
              <GitPullRequestArrow size={16} aria-hidden />
              {look.isPending ? "Packing the files..." : shown ? "Review again" : "Review the files"}
            </Button>
          </>
        ) : (
          <NoRepository account={github.account} />
        )}
      </form>
      <MoreRepositories github={github} checking={checking} onCheck={onCheck} error={error} orNew />
      {look.isError && <Problem>The files could not be shown. {problemText(look.error)}</Problem>}
      {shown && repository && (
        <WhatIsPushed
          shown={shown}
          repository={repository}
          pushing={send.isPending}
          onPush={() => send.mutate()}
        />
      )}
      {send.isError && <Problem>{pushProblem(send.error)}</Problem>}
      <div role="status" className="empty:hidden">
        {send.data && <PushOutcome key={send.data.push.at} result={send.data} />}
      </div>
    </div>
  );
}
