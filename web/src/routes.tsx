import { createBrowserRouter, redirect } from "react-router";
import { projectsQuery } from "./api/projects";
import { queryClient } from "./api/query-client";
import { lazyPart } from "./lib/lazy-part";
import { paths } from "./lib/paths";
import { installationId, leaveFor, leaveToSignIn, recoverInstallation } from "./lib/session";
import { Component as NotFound } from "./pages/not-found";
import { RouteError } from "./pages/route-error";

/** The application is for people with a session; others are sent to the landing page, which is a separate document. */
const signedIn = async () => ((await recoverInstallation()) ? null : leaveToSignIn());

/** A change of the query stays on the same page, so the session need not be checked again. */
const elsewhere = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

/**
 * The start page of the application: the user's projects, or the landing page. The projects say which one is missing.
 */
const start = ({ request }: { request: Request }) => {
  if (installationId()) throw redirect(paths.projects() + new URL(request.url).search);
  return leaveFor(paths.landing());
};

/** Asks for the list of projects while its page's code is still loading: on a slow network that is a second less. */
const projectsAhead = () => {
  const ask = async () => {
    if (await recoverInstallation()) await queryClient.prefetchQuery(projectsQuery());
  };
  // The page shows what went wrong.
  ask().catch(() => undefined);
  return null;
};

/** Shown until the first page's code has loaded; the document itself shows the same before that. */
function Starting() {
  return (
    <div className="grid h-full place-items-center">
      <p role="status" className="text-ink-2">
        Loading Groundcrew...
      </p>
    </div>
  );
}

const documentation = lazyPart(() => import("./pages/home/documentation"));
const tools = lazyPart(() => import("./pages/home/tools"));
const notFound = async () => ({ Component: NotFound });

/**
 * The routes of the application. Each page is loaded when it is first opened. The public pages are separate documents
 * (`public-pages.ts`): going to one leaves the application.
 */
export const router = createBrowserRouter([
  {
    errorElement: <RouteError />,
    HydrateFallback: Starting,
    children: [
      { path: "/", loader: start },
      { path: "/github-success", lazy: lazyPart(() => import("./pages/github-success")) },
      { path: "/github-choose", lazy: lazyPart(() => import("./pages/github-choose")) },
      { path: "/shared", lazy: lazyPart(() => import("./pages/shared")) },
      { path: "/unsubscribe", lazy: lazyPart(() => import("./pages/unsubscribe")) },
      {
        path: "/app",
        loader: signedIn,
        shouldRevalidate: elsewhere,
        lazy: lazyPart(() => import("./pages/app-frame")),
        children: [
          {
            index: true,
            loader: projectsAhead,
            shouldRevalidate: elsewhere,
            lazy: lazyPart(() => import("./pages/projects/page")),
          },
          { path: "mail", lazy: lazyPart(() => import("./pages/mail")) },
          { path: "guests", lazy: lazyPart(() => import("./pages/guests")) },
          { path: "credits/success", lazy: lazyPart(() => import("./pages/payment-success")) },
          { path: "payment-success", lazy: lazyPart(() => import("./pages/payment-success")) },
          {
            path: ":projectId",
            loader: ({ params }) => {
              if (!/^\d+$/.test(params.projectId ?? "")) throw new Response(null, { status: 404 });
              return signedIn();
            },
            shouldRevalidate: elsewhere,
            errorElement: <RouteError />,
            children: [
              { index: true, lazy: lazyPart(() => import("./pages/stages/page")) },
              {
                path: "home",
                lazy: lazyPart(() => import("./pages/home/layout")),
                children: [
                  { index: true, lazy: async () => ({ Component: (await documentation()).QuickStart }) },
                  { path: "result", lazy: lazyPart(() => import("./pages/home/result")) },
                  {
                    path: "documentation",
                    lazy: async () => ({ Component: (await documentation()).FullDocumentation }),
                  },
                  {
                    path: "environment-guide",
                    lazy: async () => ({ Component: (await documentation()).EnvironmentGuide }),
                  },
                  {
                    path: "configuration",
                    lazy: async () => ({ Component: (await documentation()).ConfigurationData }),
                  },
                  { path: "devops-helper", lazy: lazyPart(() => import("./pages/home/devops-helper")) },
                  { path: "terminal", lazy: async () => ({ Component: (await tools()).TerminalSection }) },
                  { path: "files", lazy: async () => ({ Component: (await tools()).FilesSection }) },
                  { path: "backups", lazy: lazyPart(() => import("./pages/home/backups")) },
                  { path: "changes", lazy: lazyPart(() => import("./pages/home/changes")) },
                  { path: "repository", lazy: lazyPart(() => import("./pages/home/repository")) },
                  { path: "changes/:number", lazy: lazyPart(() => import("./pages/home/past-change")) },
                  { path: "*", lazy: async () => ({ Component: (await documentation()).QuickStart }) },
                ],
              },
              { path: "costs", lazy: lazyPart(() => import("./pages/costs")) },
              { path: "audit", lazy: lazyPart(() => import("./pages/audit")) },
              { path: "timeline", lazy: lazyPart(() => import("./pages/timeline")) },
              { path: "*", lazy: notFound },
            ],
          },
        ],
      },
      { path: "*", lazy: notFound },
    ],
  },
]);
