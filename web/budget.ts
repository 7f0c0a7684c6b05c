/** Limits what new visitors have to load before the first page works; checked on each build. */
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** How much JavaScript a public page may start with, in gzipped bytes. */
const PUBLIC_SCRIPT_BYTES = 10_000;
/** The same for the application, with the client of its API: every page needs it, and the list is asked for at once. */
const APPLICATION_SCRIPT_BYTES = 120_000;

const SCRIPTS = /<(?:script|link)\b[^>]*?\b(?:src|href)="\/(assets\/[^"]+\.js)"/g;

/** Fails a build whose pages start with more script than allowed. */
export function scriptBudget(): Plugin {
  return {
    name: "groundcrew:script-budget",
    enforce: "post",
    writeBundle(_, bundle) {
      const code = (file: string) => {
        const part = bundle[file];
        return part?.type === "chunk" ? part : undefined;
      };
      for (const part of Object.values(bundle)) {
        if (part.type !== "asset" || !part.fileName.endsWith(".html")) continue;
        const loaded = new Set<string>();
        const load = (file: string) => {
          if (loaded.has(file)) return;
          loaded.add(file);
          code(file)?.imports.forEach(load);
        };
        for (const [, file] of String(part.source).matchAll(SCRIPTS)) if (file) load(file);
        const bytes = [...loaded].reduce((sum, file) => sum + gzipSync(code(file)?.code ?? "").length, 0);
        const most = part.fileName === "app.html" ? APPLICATION_SCRIPT_BYTES : PUBLIC_SCRIPT_BYTES;
        if (loaded.size === 0) this.error(`${part.fileName} loads no script at all`);
        if (bytes > most) {
          this.error(`${part.fileName} starts with ${bytes} bytes of script (gzipped), more than ${most}`);
        }
      }
    },
  };
}
