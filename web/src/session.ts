/**
 * Who is signed in, as far as this tab knows.
 *
 * The session itself is a cookie that no script can read. What a tab holds is the id of the installation it works
 * in, which every call repeats and the server compares with the session's.
 */
import { paths, returnPath } from "./paths";

const INSTALLATION_KEY = "github_installation_id";

export function installationId(): string | null {
  try {
    return sessionStorage.getItem(INSTALLATION_KEY);
  } catch {
    // A browser that keeps nothing for this site keeps nobody signed in; its public pages work all the same.
    return null;
  }
}

/** Stores the id and reports whether it reads back. */
export function rememberInstallation(id: string): boolean {
  sessionStorage.setItem(INSTALLATION_KEY, id);
  return sessionStorage.getItem(INSTALLATION_KEY) === id;
}

/** Starts signing in: the browser leaves for GitHub, and comes back to the page that asked for it. */
export function startLogin() {
  if (installationId()) sessionStorage.removeItem(INSTALLATION_KEY);
  window.location.assign(
    paths.login(returnPath(new URLSearchParams(window.location.search).get("return_to"))),
  );
}

let recovering: Promise<boolean> | undefined;

/**
 * Whether somebody is signed in here. A new tab knows of no installation yet; the session says which one it is for.
 * Throws when the server does not answer: that is no reason to send anybody away.
 */
export function recoverInstallation(): Promise<boolean> {
  if (installationId()) return Promise.resolve(true);
  recovering ??= askSession().finally(() => {
    recovering = undefined;
  });
  return recovering;
}

async function askSession(): Promise<boolean> {
  const answer = await fetch("/api/github/user");
  if (answer.status === 401) return false;
  if (!answer.ok) throw new Response(null, { status: answer.status, statusText: answer.statusText });
  const session: unknown = await answer.json();
  const id: unknown = Reflect.get(Object(session), "installation_id");
  return (typeof id === "number" || typeof id === "string") && rememberInstallation(String(id));
}

/** Where the page is, as an address to come back to. */
const here = () => window.location.pathname + window.location.search + window.location.hash;

/** Forgets everything this tab knew and loads the landing page anew, so that no cached answer outlives the session. */
export function endSession() {
  sessionStorage.clear();
  window.location.replace(paths.landing());
}

/** The same when the session ended without its user: the landing page says so, and signing in leads back here. */
export function sessionEnded() {
  const returnTo = returnPath(here());
  sessionStorage.clear();
  window.location.replace(returnTo ? paths.signIn(returnTo, true) : paths.landing());
}

/** Leads somebody who is not signed in to the landing page, which leads back here. */
export const leaveToSignIn = () => leaveFor(paths.signIn(returnPath(here()) ?? paths.projects(), false));

/** Leaves for a page outside the application, in the place of this one; the promise is for whoever waits meanwhile. */
export function leaveFor(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => undefined);
}
