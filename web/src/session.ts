/**
 * Who is signed in, as far as this tab knows.
 *
 * The session itself is a cookie that no script can read. What a tab holds is the id of the installation it works
 * in, which every call repeats and the server compares with the session's.
 */
import { paths } from "./paths";

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

/** Starts signing in: the browser leaves for GitHub. */
export function startLogin() {
  if (installationId()) sessionStorage.removeItem(INSTALLATION_KEY);
  window.location.assign(paths.login());
}

/** Forgets everything this tab knew and loads the landing page anew, so that no cached answer outlives the session. */
export function endSession() {
  sessionStorage.clear();
  window.location.replace(paths.landing());
}

/** Leaves for a page outside the application, in the place of this one; the promise is for whoever waits meanwhile. */
export function leaveFor(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => undefined);
}
