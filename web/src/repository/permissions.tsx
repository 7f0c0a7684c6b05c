import type { ReactNode } from "react";
import type { GitHubRepositories } from "../api/repository";
import { Button, buttonClass } from "../ui/button";
import { CheckProblem } from "./check-problem";

interface PermissionsProps {
  github: GitHubRepositories;
  checking: boolean;
  onCheck: () => void;
  /** Why the last check failed; null if it did not. */
  error: Error | null;
  /** What each permission is needed for. */
  children: ReactNode;
}

/** The permissions that the account has not granted yet, with a link to GitHub's page that asks for them. */
export function Permissions({ github, checking, onCheck, error, children }: PermissionsProps) {
  return (
    <div className="flex flex-col gap-3 border-line border-b px-4.5 py-4 last:border-b-0">
      <p>
        {children} of <span className="font-[550]">{github.account}</span>. You grant it on GitHub, where the
        app asks for all that imports and pushes need, and can withdraw it there. Everything else works
        without.
      </p>
      <div className="flex flex-wrap items-center gap-2.5">
        <a href={github.grant_url} target="_blank" rel="noreferrer" className={buttonClass("signal")}>
          Grant on GitHub
        </a>
        <Button pending={checking} onClick={onCheck}>
          {checking ? "Checking..." : "Check again"}
        </Button>
      </div>
      <CheckProblem error={error} checking={checking} />
    </div>
  );
}
