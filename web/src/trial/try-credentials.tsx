import type { Provider } from "../api/credentials";
import { tryCredentials } from "../api/devops-helper";
import { problemText } from "../api/errors";
import { FollowedCommand } from "../devops-helper/open-commands";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";

/** Providers with a call that changes nothing and shows whether their credentials are good. */
const TRIED: readonly Provider[] = ["aws", "digitalocean", "hetzner"];

interface TryCredentialsProps {
  projectId: number;
  provider: Provider;
  /** The provider's name. */
  label: string;
}

/** Prepares the call, asks for approval and shows the result; renders nothing for other providers. */
export function TryCredentials({ projectId, provider, label }: TryCredentialsProps) {
  const trial = useOnce({
    mutationFn: () => tryCredentials(provider),
    onError: (error) => console.error(`The credentials of ${label} could not be tried`, error),
  });
  if (!TRIED.includes(provider)) return null;
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
          {trial.data
            ? "If you approve this command, the sandbox starts and runs it."
            : `Ask ${label} whether they are good, before a step needs them.`}
        </span>
      </div>
      {trial.isError && <Problem>The credentials could not be tried. {problemText(trial.error)}</Problem>}
      {trial.data && <FollowedCommand key={trial.data.number} projectId={projectId} command={trial.data} />}
    </div>
  );
}
