import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Schemas } from "../api/client";
import { paths, returnPath } from "../lib/paths";
import { rememberInstallation } from "../lib/session";
import { entryOf } from "../lib/table";
import { buttonClass } from "../ui/button";
import { FullPage } from "../ui/full-page";

/** How long an error is shown before the landing page, in milliseconds. */
const ERROR_MS = 5_000;
/** The titles of refusals after which another person has to act, so the page stays. */
const OTHERS_ACT: Partial<Record<SignInRefusal, string>> = {
  guest_refused: "You need the owner's permission",
  not_a_member: "You are not a member of this organization",
};
type SignInRefusal = Schemas["SignInRefusal"];

const FALLBACK = "Failed to complete GitHub installation";

/** The reasons why a sign-in failed, by the server's code. */
const REFUSALS: Record<Exclude<SignInRefusal, "rate_limited">, string> = {
  expired: "This sign-in was not finished in time or was started elsewhere. Please sign in again.",
  denied: "You did not allow Groundcrew to see who you are on GitHub, so you are not signed in.",
  installation_pending: "An owner of the organization has to approve the installation first.",
  installation_suspended:
    "The installation is suspended. Unsuspend it in your GitHub settings, then sign in again.",
  guest_refused:
    "This account belongs to another person, who has not allowed you to use it in Groundcrew. Ask them to allow you, then sign in again, or install Groundcrew on your own account.",
  not_a_member:
    "GitHub does not list you as a member of this organization. Ask one of its owners to invite you, and to accept Groundcrew's permission to read members. Then sign in again, or install Groundcrew on your own account.",
  github: "GitHub did not answer. Please try again in a moment.",
  internal: "Something went wrong on our side. Please try again in a moment.",
};

type State = { is: "loading" } | { is: "success" } | { is: "error"; text: string };

/** The end of GitHub's sign-in: stores the installation's id and continues to the projects. */
export function Component() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [state, setState] = useState<State>({ is: "loading" });

  useEffect(() => {
    const outcome = finish(params);
    setState(outcome);
    if (outcome.is === "success") {
      void navigate(returnPath(params.get("return_to")) ?? paths.projects(), { replace: true });
      return;
    }
    if (title(params)) return;
    const timer = setTimeout(() => void navigate(paths.landing(), { replace: true }), ERROR_MS);
    return () => clearTimeout(timer);
  }, [params, navigate]);

  const waits = title(params);
  if (state.is === "error" && waits) {
    return (
      <FullPage title={waits}>
        <p role="alert" className="text-ink-2">
          {state.text}
        </p>
        <a href={paths.install()} className={buttonClass("signal")}>
          Install on your own account
        </a>
        <a href={paths.landing()} className={buttonClass("plain")}>
          Back to the start
        </a>
      </FullPage>
    );
  }
  if (state.is === "error") {
    return (
      <FullPage title="Installation Error">
        <p role="alert" className="text-ink-2">
          {state.text}
        </p>
        <p className="text-ink-3 text-note">Taking you back to the start in a few seconds.</p>
        <a href={paths.landing()} className={buttonClass("plain")}>
          Back to the start
        </a>
      </FullPage>
    );
  }
  return (
    <FullPage title={state.is === "success" ? "Signed in" : "Completing sign-in..."}>
      <p role="status" className="text-ink-2">
        {state.is === "success" ? "Taking you to your projects." : "One moment."}
      </p>
    </FullPage>
  );
}

/** The title of a refusal after which another person has to act. */
function title(params: URLSearchParams): string | undefined {
  const refused = refusalOf(params);
  return entryOf(OTHERS_ACT, refused);
}

/** When to try again; the address contains the seconds. */
function tooMany(seconds: string | null): string {
  const wait = /^[1-9]\d{0,3}$/.test(seconds ?? "") ? `in ${seconds} seconds` : "in a minute";
  return `Too many sign-ins came from your network. Nothing is lost: please try again ${wait}.`;
}

/** A newer server may have reasons that equal none of these. */
const refusalOf = (params: URLSearchParams) => (params.get("error") as SignInRefusal | null) ?? undefined;

function finish(params: URLSearchParams): State {
  const refused = refusalOf(params);
  if (refused === "rate_limited") return { is: "error", text: tooMany(params.get("retry_after")) };
  if (refused !== undefined) return { is: "error", text: entryOf(REFUSALS, refused) ?? FALLBACK };
  const id = params.get("installation_id");
  if (!id) return { is: "error", text: "No installation ID found in the URL" };
  try {
    if (!rememberInstallation(id)) return { is: "error", text: "Failed to store installation ID correctly" };
  } catch {
    return { is: "error", text: FALLBACK };
  }
  return { is: "success" };
}
