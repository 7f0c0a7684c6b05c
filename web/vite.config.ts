import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { scriptBudget } from "./budget.ts";
import { publicPages } from "./public-pages.ts";

/** Where `npm run dev` reaches the API and the WebSocket: the local stack by default. */
const BACKEND = process.env.GROUNDCREW_BACKEND ?? "http://localhost:3000";

export default defineConfig({
  plugins: [react(), tailwindcss(), publicPages(), scriptBudget()],
  build: { target: "es2022", sourcemap: false, chunkSizeWarningLimit: 600 },
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
