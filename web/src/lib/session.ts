/**
 * The signed-in person, from this tab's point of view.
 *
 * The session itself is a cookie that no script can read. A tab stores the id of its installation, which every call
 * repeats and the server compares with the session's.
 */

import { drafts } from "./drafts";
import { paths, returnPath } from "./paths";
import { tabStorage } from "./storage";

const INSTALLATION_KEY = "github_installation_id";

export function installationId(): string | null {
  // A browser that stores nothing for this site cannot stay signed in; the public pages work without storage.
  return tabStorage.getItem(INSTALLATION_KEY);
}

/** Stores the id and returns whether it can be read back; throws if the browser refuses to store anything. */
export function rememberInstallation(id: string): boolean {
  sessionStorage.setItem(INSTALLATION_KEY, id);
  return sessionStorage.getItem(INSTALLATION_KEY) === id;
}

/** Starts the sign-in: the browser goes to GitHub and returns to the present page. */
export function startLogin() {
  if (installationId()) tabStorage.removeItem(INSTALLATION_KEY);
  window.location.assign(
    paths.login(returnPath(new URLSearchParams(window.location.search).get("return_to"))),
  );
}

let recovering: Promise<boolean> | undefined;

/**
 * Whether the visitor is signed in. A new tab has no installation yet and gets it from the session. Throws if the
 * server does not answer: that is not a reason to sign a person out.
 */
export function recoverInstallation(): Promise<boolean> {
  if (installationId()) return Promise.resolve(true);
  recovering ??= askSession().finally(() => {
    recovering = undefined;
  });
  return recovering;
}

let answered: unknown;

/** The signed-in user, if the session was just asked who that is: the first page need not ask again. */
export function takeAnswered(): unknown {
  const user = answered;
  answered = undefined;
  return user;
}

async function askSession(): Promise<boolean> {
  const answer = await fetch("/api/github/user");
  if (answer.status === 401) return false;
  if (!answer.ok) throw new Response(null, { status: answer.status, statusText: answer.statusText });
  const session: unknown = await answer.json();
  answered = session;
  const id: unknown = Reflect.get(Object(session), "installation_id");
  return (typeof id === "number" || typeof id === "string") && rememberInstallation(String(id));
}

/** The present address, to return to. */
const here = () => window.location.pathname + window.location.search + window.location.hash;

/** Deletes everything in this tab and loads the landing page again, so that no cached answer outlives the session. */
export function endSession() {
  tabStorage.clear();
  window.location.replace(paths.landing());
}

/**
 * The same for a session that ended without its user's action: the landing page explains it, and signing in leads back
 * here, to the text that was not sent yet.
 */
export function sessionEnded() {
  const returnTo = returnPath(here());
  drafts.outlive();
  window.location.replace(returnTo ? paths.signIn(returnTo, true) : paths.landing());
}

/** Leads a visitor without a session to the landing page, which leads back here. */
export const leaveToSignIn = () => leaveFor(paths.signIn(returnPath(here()) ?? paths.projects(), false));

/** Leaves for a page outside the application, replacing this one; the promise never resolves. */
export function leaveFor(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => undefined);
}
