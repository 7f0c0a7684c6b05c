import { projectIdOf } from "../paths";
import { installationId } from "../session";

/** Calls about the person rather than the installation: the cookie is enough for them. */
const WITHOUT_INSTALLATION = "/github";

/** The headers that every call carries beside the cookie; throws when nobody is signed in here. */
export function callHeaders(path: string, pathname = window.location.pathname): Record<string, string> {
  const headers: Record<string, string> = {};
  const installation = installationId();
  if (installation) headers["Installation-Id"] = installation;
  else if (!path.startsWith(WITHOUT_INSTALLATION)) throw new Error("No installation ID found");
  const project = projectIdOf(pathname);
  if (project !== undefined) headers["Project-Id"] = String(project);
  return headers;
}
