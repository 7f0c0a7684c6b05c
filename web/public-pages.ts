/**
 * The public pages as complete documents.
 *
 * New visitors and crawlers get HTML with all of its content: React renders each public page when the site is built
 * (and on each request of `npm run dev`), with a script of a few kilobytes instead of the application. The application
 * itself is `app.html`, for every other address.
 */
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer, type Plugin, type ViteDevServer } from "vite";

/** The module that renders the pages. */
const RENDERER = "/src/public-site/render.tsx";

/** The addresses of the public pages, and the file that each becomes. The site's servers have the same list. */
export const PUBLIC_PAGES: Record<string, string> = {
  "/": "index.html",
  "/pricing": "pricing.html",
  "/terms": "terms.html",
  "/privacy": "privacy.html",
  "/refund-policy": "refund-policy.html",
};

interface Renderer {
  renderPage: (path: string) => string;
  siteFiles: () => Record<string, string>;
}

const renderer = async (server: ViteDevServer) => (await server.ssrLoadModule(RENDERER)) as Renderer;

export function publicPages(): Plugin {
  let root = "";
  let rendering: ViteDevServer | undefined;
  const pathOf = (id: string) =>
    Object.entries(PUBLIC_PAGES).find(([, file]) => id === join(root, file))?.[0];
  return {
    name: "groundcrew:public-pages",
    config: () => ({
      build: { rollupOptions: { input: ["app.html", ...Object.values(PUBLIC_PAGES)] } },
    }),
    configResolved(config) {
      root = config.root;
    },

    async buildStart() {
      if (this.meta.watchMode) return;
      rendering = await createServer({
        root,
        configFile: false,
        plugins: [react()],
        logLevel: "error",
        appType: "custom",
        optimizeDeps: { noDiscovery: true },
        server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      });
    },
    resolveId(id) {
      const file = Object.values(PUBLIC_PAGES).find((file) => id === file || id === join(root, file));
      return file && join(root, file);
    },
    async load(id) {
      const path = pathOf(id);
      if (path === undefined || !rendering) return undefined;
      return (await renderer(rendering)).renderPage(path);
    },
    async generateBundle() {
      if (!rendering) return;
      for (const [fileName, source] of Object.entries((await renderer(rendering)).siteFiles())) {
        this.emitFile({ type: "asset", fileName, source });
      }
    },
    async closeBundle() {
      await rendering?.close();
      rendering = undefined;
    },

    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = request.url ?? "/";
        const path = new URL(url, "http://localhost").pathname;
        if (path in PUBLIC_PAGES) {
          serve(server, path, response).catch(next);
          return;
        }
        // Addresses of the application do not name a file.
        const page = request.headers.accept?.includes("text/html") && !path.includes(".");
        if (page && !path.startsWith("/api/")) request.url = "/app.html";
        next();
      });
    },
  };
}

async function serve(server: ViteDevServer, path: string, response: ServerResponse) {
  const html = await server.transformIndexHtml(path, (await renderer(server)).renderPage(path));
  response.setHeader("Content-Type", "text/html; charset=utf-8").end(html);
}
