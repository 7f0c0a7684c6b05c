import { createBrowserRouter, redirect } from "react-router";
import { RouteError } from "./pages/route-error";
import { paths } from "./paths";
import { installationId } from "./session";

const signedIn = () => {
  if (!installationId()) throw redirect(paths.landing());
  return null;
};

const signedOut = () => {
  if (installationId()) throw redirect(paths.projects());
  return null;
};

const documents = () => import("./documentation/pages");
const sandboxTools = () => import("./home/tools");
const notFound = () => import("./pages/not-found");

/** Where everything is. Each page is loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    errorElement: <RouteError />,
    HydrateFallback: () => null,
    children: [
      { path: "/", loader: signedOut, lazy: () => import("./pages/landing") },
      { path: "/pricing", lazy: () => import("./pages/pricing") },
      { path: "/terms", lazy: () => import("./pages/terms") },
      { path: "/privacy", lazy: () => import("./pages/privacy") },
      { path: "/refund-policy", lazy: () => import("./pages/refund-policy") },
      { path: "/github-success", lazy: () => import("./pages/github-success") },
      { path: "/github-choose", lazy: () => import("./pages/github-choose") },
      {
        path: "/app",
        loader: signedIn,
        lazy: () => import("./app-frame"),
        children: [
          { index: true, lazy: () => import("./pages/projects/page") },
          { path: "credits/success", lazy: () => import("./pages/payment-success") },
          { path: "payment-success", lazy: () => import("./pages/payment-success") },
          {
            path: ":projectId",
            loader: ({ params }) => {
              if (!/^\d+$/.test(params.projectId ?? "")) throw new Response(null, { status: 404 });
              return signedIn();
            },
            errorElement: <RouteError />,
            children: [
              { index: true, lazy: () => import("./workspace/page") },
              {
                path: "home",
                lazy: () => import("./home/layout"),
                children: [
                  { index: true, lazy: async () => ({ Component: (await documents()).QuickStart }) },
                  {
                    path: "documentation",
                    lazy: async () => ({ Component: (await documents()).FullDocumentation }),
                  },
                  {
                    path: "environment-guide",
                    lazy: async () => ({ Component: (await documents()).EnvironmentGuide }),
                  },
                  {
                    path: "configuration",
                    lazy: async () => ({ Component: (await documents()).ConfigurationData }),
                  },
                  { path: "devops-helper", lazy: () => import("./devops-helper/page") },
                  {
                    path: "terminal",
                    lazy: async () => ({ Component: (await sandboxTools()).TerminalSection }),
                  },
                  { path: "files", lazy: async () => ({ Component: (await sandboxTools()).FilesSection }) },
                  { path: "*", lazy: async () => ({ Component: (await documents()).QuickStart }) },
                ],
              },
              { path: "costs", lazy: () => import("./pages/costs") },
              { path: "*", lazy: notFound },
            ],
          },
        ],
      },
      { path: "*", lazy: notFound },
    ],
  },
]);
