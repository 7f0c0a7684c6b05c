/** Every address inside the product is built here and nowhere else. */
export const paths = {
  landing: () => "/",
  /** The landing page for somebody who has to sign in to open `returnTo`; `ended` says that they were signed in. */
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
  projects: () => "/app",
  project: (projectId: number, stage?: string) => `/app/${projectId}${stage ? `?stage=${stage}` : ""}`,
  /** `returnTo` is the last segment of the address that the costs are looked at from. */
  costs: (projectId: number, returnTo?: string) =>
    `/app/${projectId}/costs${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ""}`,
  audit: (projectId: number) => `/app/${projectId}/audit`,
  home: (projectId: number, section?: HomeSection) => `/app/${projectId}/home${section ? `/${section}` : ""}`,
  /** Leaves the application: the API sends the browser on to GitHub. */
  login: (returnTo?: string) =>
    `/api/github/login${returnTo ? `?return_to=${encodeURIComponent(returnTo)}` : ""}`,
};

/** Longest address that a sign-in leads back to, in characters; the server keeps no longer one. */
const MAX_RETURN_CHARS = 500;
const OWN_PATH = /^\/app(?:$|[/?#])[\x21-\x5b\x5d-\x7e]*$/;

/** Where a sign-in leads back to: a path of the application, whatever the address says. */
export function returnPath(wish: string | null): string | undefined {
  return wish !== null && wish.length <= MAX_RETURN_CHARS && OWN_PATH.test(wish) ? wish : undefined;
}

/** The parts of a project's home beside the Quick Start Guide, which is the home itself. */
export const HOME_SECTIONS = [
  "documentation",
  "environment-guide",
  "configuration",
  "devops-helper",
  "terminal",
  "files",
  "backups",
] as const;

export type HomeSection = (typeof HOME_SECTIONS)[number];

/** Where the costs lead back to, by their `returnTo`. */
export function afterCosts(projectId: number, returnTo: string | null): string {
  const section = HOME_SECTIONS.find((section) => section === returnTo);
  return returnTo === "home" || section ? paths.home(projectId, section) : paths.project(projectId);
}

/** The project that an address is about: the digits after /app/. */
export function projectIdOf(pathname: string): number | undefined {
  const digits = /^\/app\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The last segment of an address. */
export const lastSegment = (pathname: string): string => pathname.split("/").filter(Boolean).at(-1) ?? "";
