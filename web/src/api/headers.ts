import { projectIdOf } from "../lib/paths";
import { installationId } from "../lib/session";

/** Calls about the person rather than the installation: they need only the cookie. */
const WITHOUT_INSTALLATION = "/github";

/** The headers of every call besides the cookie; throws if this tab has no installation. */
export function callHeaders(path: string, pathname = window.location.pathname): Record<string, string> {
  const headers: Record<string, string> = {};
  const installation = installationId();
  if (installation) headers["Installation-Id"] = installation;
  else if (!path.startsWith(WITHOUT_INSTALLATION)) throw new Error("No installation ID found");
  const project = projectIdOf(pathname);
  if (project !== undefined) headers["Project-Id"] = String(project);
  return headers;
}
