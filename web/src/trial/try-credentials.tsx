import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Provider } from "../api/credentials";
import { type OpenCommand, openCommandsKey, openCommandsQuery, tryCredentials } from "../api/devops-helper";
import { problemText } from "../api/errors";
import { FollowedCommand } from "../devops-helper/open-commands";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { openTrial, TRIALS } from "./trials";

interface TryCredentialsProps {
  projectId: number;
  provider: Provider;
  /** The provider's name. */
  label: string;
}

/** Prepares the call, asks for approval and shows the result; renders nothing for other providers. */
export function TryCredentials(props: TryCredentialsProps) {
  return TRIALS[props.provider] === undefined ? null : <Try {...props} />;
}

function Try({ projectId, provider, label }: TryCredentialsProps) {
  const queries = useQueryClient();
  const trial = useOnce({
    mutationFn: () => tryCredentials(provider),
    onSuccess: () => queries.invalidateQueries({ queryKey: openCommandsKey(projectId) }),
    onError: (error) => console.error(`The credentials of ${label} could not be tried`, error),
  });
  // A trial from before the page was loaded is followed, too, and stays after it has ended.
  const open = useQuery(openCommandsQuery(projectId)).data;
  const listed = open && openTrial(provider, open);
  const [known, setKnown] = useState<OpenCommand>();
  useEffect(() => {
    if (listed) setKnown(listed);
  }, [listed]);
  const command = [known, trial.data].reduce((a, b) => (b && b.number >= (a?.number ?? 0) ? b : a));
  return (
    <div className="mt-2 flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="small"
          aria-label={trial.isPending ? undefined : `Try: ${label}`}
          pending={trial.isPending}
          onClick={() => trial.mutate()}
        >
          {trial.isPending ? "Preparing..." : "Try"}
        </Button>
        <span className="text-ink-2 text-small">
          {command
            ? "If you approve this command, the sandbox starts and runs it."
            : `Ask ${label} whether they are good, before a step needs them.`}
        </span>
      </div>
      {trial.isError && <Problem>The credentials could not be tried. {problemText(trial.error)}</Problem>}
      {command && <FollowedCommand key={command.number} projectId={projectId} command={command} />}
    </div>
  );
}
