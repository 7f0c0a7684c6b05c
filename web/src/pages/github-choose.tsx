import { Building2, User } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { isStatus, problemText } from "../api/errors";
import { chooseInstallation, type OfferedInstallation, offeredInstallations } from "../api/github";
import { paths, returnPath } from "../lib/paths";
import { rememberInstallation } from "../lib/session";
import { Button, buttonClass } from "../ui/button";
import { cx } from "../ui/class";
import { FullPage } from "../ui/full-page";
import { Pill } from "../ui/pill";
import { Problem, Skeleton } from "../ui/states";

/** Lets a person with several installations choose one; if the sign-in has ended, leads to the landing page. */
export function Component() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [offered, setOffered] = useState<OfferedInstallation[]>();
  const [problem, setProblem] = useState<unknown>();
  const [chosen, setChosen] = useState<number>();
  const load = useCallback(() => {
    setProblem(undefined);
    offeredInstallations().then(setOffered, setProblem);
  }, []);
  useEffect(load, [load]);

  const choose = async (id: number) => {
    if (chosen !== undefined) return;
    setChosen(id);
    setProblem(undefined);
    try {
      const { installation_id } = await chooseInstallation(id);
      if (!rememberInstallation(String(installation_id))) {
        throw new Error("Failed to store installation ID correctly");
      }
      await navigate(returnPath(params.get("return_to")) ?? paths.projects(), { replace: true });
    } catch (error) {
      setProblem(error);
      setChosen(undefined);
    }
  };
  return (
    <FullPage title="Choose where to work">
      <p className="text-balance text-ink-2">
        Groundcrew is installed for more than one account you can reach. Projects and credits belong to the
        one you choose.
      </p>
      <div className="mt-3 w-full min-w-[min(24rem,calc(100vw-3rem))] text-left">
        {problem !== undefined && <Problem>{problemText(problem)}</Problem>}
        {isStatus(problem, 403) && !offered?.some(isOwn) && (
          <a href={paths.install()} className={cx(buttonClass("plain"), "mt-3 w-full")}>
            Install on your own account
          </a>
        )}
        {problem !== undefined && !offered && (
          <Button className="mt-3 w-full" onClick={load}>
            Try again
          </Button>
        )}
        {!offered && problem === undefined && <Loading />}
        {offered && (
          <ul className="mt-2 flex flex-col gap-2">
            {offered.map((installation) => (
              <li key={installation.installation_id}>
                <Choice
                  installation={installation}
                  busy={chosen !== undefined}
                  onChoose={() => void choose(installation.installation_id)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </FullPage>
  );
}

const isOwn = ({ account_type, guest }: OfferedInstallation) => account_type === "User" && !guest;

interface ChoiceProps {
  installation: OfferedInstallation;
  busy: boolean;
  onChoose: () => void;
}

function Choice({
  installation: { account, account_type, avatar_url, guest, suspended },
  busy,
  onChoose,
}: ChoiceProps) {
  const Icon = account_type === "Organization" ? Building2 : User;
  return (
    <button
      type="button"
      disabled={suspended}
      aria-disabled={busy || suspended}
      onClick={onChoose}
      className="flex w-full items-center gap-3 rounded-box border border-line-strong bg-raised px-4 py-3 text-left transition-colors duration-150 enabled:hover:border-ink-3 disabled:bg-sunken aria-disabled:bg-sunken"
    >
      <span className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-full bg-sunken text-ink-2">
        {avatar_url ? (
          <img src={avatar_url} alt="" width={36} height={36} referrerPolicy="no-referrer" />
        ) : (
          <Icon size={18} aria-hidden />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-[560]">{account}</span>
        <span className="block text-ink-2 text-small">
          {account_type === "Organization"
            ? "Organization"
            : guest
              ? "Another person's account"
              : "Personal account"}
        </span>
      </span>
      {suspended && <Pill tone="bad">suspended</Pill>}
    </button>
  );
}

function Loading() {
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading your installations...</span>
      <Skeleton className="h-16 w-full rounded-box" />
      <Skeleton className="h-16 w-full rounded-box" />
    </div>
  );
}
