import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { scriptBudget } from "./budget.ts";
import { publicPages } from "./public-pages.ts";

/** Where `npm run dev` reaches the API and the WebSocket: the local stack by default. */
const BACKEND = process.env.GROUNDCREW_BACKEND ?? "http://localhost:3000";

export default defineConfig({
  plugins: [react(), tailwindcss(), publicPages(), scriptBudget()],
  build: {
    target: "es2022",
    sourcemap: false,
    // Every browser that runs es2022 modules loads the first page without it; the others preload nothing.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // Each file costs a request and its headers: what every visit needs, and what the list needs, is one file each.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Public pages need this much of the application, and nothing else of it.
            { name: "session", test: /\/src\/(?:index\.css|lib\/(?:paths|session)\.ts)$/, priority: 3 },
            { name: "app", test: /\/src\/main\.tsx$/, priority: 2 },
            { name: "projects", test: /\/src\/pages\/(?:app-frame|projects\/page)\.tsx$/, priority: 1 },
            // The list's menus and dialogs come after it, together.
            {
              name: "menus",
              test: /\/src\/(?:shell\/user-actions|pages\/projects\/(?:project-actions|create))\.tsx$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      "/api": BACKEND,
      "/_local": BACKEND,
      "/ws": { target: BACKEND, ws: true },
    },
  },
  test: { environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
});
