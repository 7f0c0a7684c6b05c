/** The parameter of the list's address that opens a dialog, and its values. */
export const BEGIN = "begin";
export type Begin = "project" | "repository";

const returning = (returnTo: string | undefined) =>
  returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : "";

/** Builds every address inside the product. */
export const paths = {
  landing: () => "/",
  /** The landing page for a visitor who has to sign in to open `returnTo`; `ended` means that a session ended. */
  signIn: (returnTo: string, ended: boolean) => {
    const query = new URLSearchParams();
    if (ended) query.set("ended", "1");
    if (returnTo !== "/app") query.set("return_to", returnTo);
    return `/${query.size > 0 ? `?${query}` : ""}`;
  },
  pricing: () => "/pricing",
  terms: () => "/terms",
  privacy: () => "/privacy",
  refundPolicy: () => "/refund-policy",
  githubSuccess: () => "/github-success",
  githubChoose: () => "/github-choose",
  /** The start page after a link to a project that is not there. */
  missing: (projectId: number) => `/?missing=${projectId}`,
  projects: () => "/app",
  /** The list of projects with a dialog that begins one; `search` is the list's own query, which stays. */
  begin: (what: Begin, search = "") => {
    const query = new URLSearchParams(search);
    query.set(BEGIN, what);
    return `/app?${query}`;
  },
  mail: () => "/app/mail",
  guests: () => "/app/guests",
  project: (projectId: number, stage?: string) => `/app/${projectId}${stage ? `?stage=${stage}` : ""}`,
  /** Of these three, `returnTo` is the last segment of the address from which the page was opened. */
  costs: (projectId: number, returnTo?: string) => `/app/${projectId}/costs${returning(returnTo)}`,
  audit: (projectId: number, returnTo?: string) => `/app/${projectId}/audit${returning(returnTo)}`,
  timeline: (projectId: number, returnTo?: string) => `/app/${projectId}/timeline${returning(returnTo)}`,
  change: (projectId: number, number: number) => `/app/${projectId}/home/changes/${number}`,
  home: (projectId: number, section?: HomeSection) => `/app/${projectId}/home${section ? `/${section}` : ""}`,
  /** Leaves the application: the API redirects the browser to GitHub's page for installing the app. */
  install: () => "/api/github/login?install=true",
  /** Leaves the application: the API redirects the browser to GitHub. */
  login: (returnTo?: string) =>
    `/api/github/login${returnTo ? `?return_to=${encodeURIComponent(returnTo)}` : ""}`,
};

/** The longest address to return to after sign-in, in characters; the server accepts no longer one. */
const MAX_RETURN_CHARS = 500;
const OWN_PATH = /^\/app(?:$|[/?#])[\x21-\x5b\x5d-\x7e]*$/;

/** The address to return to after sign-in: a path of the application, whatever the query contains. */
export function returnPath(wish: string | null): string | undefined {
  return wish !== null && wish.length <= MAX_RETURN_CHARS && OWN_PATH.test(wish) ? wish : undefined;
}

/** The parts of a project's home besides the Quick Start Guide, which is the home page itself. */
const HOME_SECTIONS = [
  "result",
  "documentation",
  "environment-guide",
  "configuration",
  "devops-helper",
  "terminal",
  "files",
  "backups",
  "changes",
  "repository",
] as const;

type HomeSection = (typeof HOME_SECTIONS)[number];

/** The address to which a page about the project links back, by its `returnTo`. */
export function backFrom(projectId: number, returnTo: string | null): string {
  const section = HOME_SECTIONS.find((section) => section === returnTo);
  return returnTo === "home" || section ? paths.home(projectId, section) : paths.project(projectId);
}

/** The project in an address: the digits after /app/. */
export function projectIdOf(pathname: string): number | undefined {
  const digits = /^\/app\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The last segment of an address. */
export const lastSegment = (pathname: string): string => pathname.split("/").filter(Boolean).at(-1) ?? "";
