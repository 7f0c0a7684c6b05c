import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CredentialNames, Provider } from "../api/credentials";
import { type OpenCommand, openCommandsKey, openCommandsQuery, tryCredentials } from "../api/devops-helper";
import { problemText } from "../api/errors";
import { labelOf } from "../credentials/rules";
import { FollowedCommand } from "../devops-helper/open-commands";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { openTrial, SERVICES, type Service, type Trial, trialsOf } from "./trials";

interface TryCredentialsProps {
  projectId: number;
  /** The credentials that were saved together. */
  set: Pick<CredentialNames, "provider" | "names">;
}

/** The trials of a set of credentials, and the names of those that cannot be tried here. */
export function TryCredentials({ projectId, set }: TryCredentialsProps) {
  const { trials, untried } = trialsOf(set);
  return (
    <>
      {trials.map((trial) => (
        <Try key={trial.service} projectId={projectId} provider={set.provider} trial={trial} />
      ))}
      {untried.length > 0 && (
        <p className="mt-2 text-ink-2 text-small">
          {untried.join(", ")} cannot be tried: no call is known that shows whether{" "}
          {untried.length === 1 ? "it is" : "they are"} good. The first step that needs{" "}
          {untried.length === 1 ? "it" : "them"} will show it.
        </p>
      )}
    </>
  );
}

interface TryProps {
  projectId: number;
  provider: Provider;
  trial: Trial;
}

/** Prepares the call, asks for approval and shows the result. */
function Try({ projectId, provider, trial: { service, name } }: TryProps) {
  const queries = useQueryClient();
  const trial = useOnce({
    mutationFn: () => tryCredentials(provider, name),
    onSuccess: () => queries.invalidateQueries({ queryKey: openCommandsKey(projectId) }),
    onError: (error) => console.error(`The credentials of ${provider} could not be tried`, error),
  });
  // A trial from before the page was loaded is followed, too, and stays after it has ended.
  const open = useQuery(openCommandsQuery(projectId)).data;
  const listed = open && openTrial(service, open);
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
          aria-label={trial.isPending ? undefined : `Try: ${name ?? labelOf(provider)}`}
          pending={trial.isPending}
          onClick={() => trial.mutate()}
        >
          {trial.isPending ? "Preparing..." : "Try"}
        </Button>
        <span className="text-ink-2 text-small">
          {command
            ? "If you approve this command, the sandbox starts and runs it."
            : questionOf(service, name)}
        </span>
      </div>
      {trial.isError && <Problem>The credentials could not be tried. {problemText(trial.error)}</Problem>}
      {command && <FollowedCommand key={command.number} projectId={projectId} command={command} />}
    </div>
  );
}

function questionOf(service: Service, name: string | undefined): string {
  if (service === "ssh") return "Sign in to the server with the key, once a step has written its ssh/config.";
  const { label } = SERVICES[service];
  return name
    ? `Ask ${label} whether ${name} is good, before a step needs it.`
    : `Ask ${label} whether they are good, before a step needs them.`;
}
