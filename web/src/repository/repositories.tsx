import type { GitHubRepositories } from "../api/repository";
import { Button } from "../ui/button";
import { CheckProblem } from "./check-problem";

interface NameSelectProps {
  id: string;
  names: readonly string[];
  value: string;
  onChoose: (name: string) => void;
  /** Whether it gets the focus when its dialog opens. */
  first?: boolean;
}

/** Chooses a repository that Groundcrew can access, or a branch of one. */
export function NameSelect({ id, names, value, onChoose, first }: NameSelectProps) {
  return (
    <select
      id={id}
      data-first={first || undefined}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      className="min-h-9.5 min-w-0 max-w-full rounded-control border border-line-strong bg-raised px-2 text-note"
    >
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface MoreRepositoriesProps {
  github: GitHubRepositories;
  checking: boolean;
  onCheck: () => void;
  /** Why the last check failed; null if it did not. */
  error: Error | null;
  /** Whether a repository that does not exist yet is acceptable. */
  orNew?: boolean;
}

const LINK = "underline decoration-line-strong underline-offset-3 hover:decoration-current";

/** Links for a repository that is not listed. */
export function MoreRepositories(props: MoreRepositoriesProps) {
  const { github, checking, onCheck, error, orNew = false } = props;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-note">
        {orNew && (
          <a href={github.new_url} target="_blank" rel="noreferrer" className={LINK}>
            New repository on GitHub
          </a>
        )}
        <a href={github.manage_url} target="_blank" rel="noreferrer" className={LINK}>
          Choose repositories on GitHub
        </a>
        <Button kind="quiet" size="small" pending={checking} onClick={onCheck}>
          {checking ? "Checking..." : "Check again"}
        </Button>
      </p>
      <p className="text-ink-3 text-small">
        Uninstalling the app on GitHub deletes your account with all projects, backups and credits.
      </p>
      <CheckProblem error={error} checking={checking} />
      {github.more && (
        <p className="text-ink-2 text-note">GitHub has more repositories than are listed here.</p>
      )}
    </>
  );
}

/** Shown if there is nothing to choose from. */
export function NoRepository({ account }: { account: string }) {
  return <p className="font-[550]">Groundcrew has no access to a repository of {account} yet.</p>;
}
