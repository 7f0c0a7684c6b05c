/**
 * The real local stack, as a process with empty data.
 *
 * It writes only to a folder that is removed afterward, and its ports are any free ones, so that suites can run in
 * parallel with each other and with a developer's stack.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The folder where cargo puts what it builds. */
const TARGET = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
/** The programs to start; each can be replaced by another build. */
const BINARY = process.env.GROUNDCREW_LOCAL_STACK ?? join(TARGET, "debug/local-stack");
const AGENT = process.env.GROUNDCREW_SANDBOX_AGENT ?? join(TARGET, "debug/sandbox-agent");
/** The GitHub App's key, which all stacks share: making one takes a tenth of a second. */
const KEY = join(TARGET, "tests-github-key.pem");
const WEB = process.env.GROUNDCREW_WEB ?? join(root, "web/dist");

/** Tests sign in and call far more often than people do. */
const UNLIMITED = "every-limit=1000000";
/** Tests run more sandboxes, projects and streams at once than people do. */
const PLENTY = Object.fromEntries(
  ["SANDBOXES", "SANDBOX_STARTS", "PROJECTS", "STREAMS"].map((what) => [`${what}_PER_INSTALLATION`, "1000"]),
);

/** How long the stack may take to serve, in milliseconds; machines that build at the same time are slow. */
const START_MS = 60_000;
/** How long it may take to exit after SIGTERM, in milliseconds. */
const END_MS = 15_000;
/** How much of its log a failure shows, in characters. */
const LOG_CHARS = 8_000;

// Node runs no exit handlers when a signal ends the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const READY = /ready at (http:\/\/localhost:\d+)/;

export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts a stack and returns its address once it answers.
 * @param variables further environment variables
 * @param pace hurried: the schedule's minute lasts a second
 */
export async function startStack(
  variables: Record<string, string> = {},
  { hurried = false }: { hurried?: boolean } = {},
) {
  const data = await mkdtemp(join(tmpdir(), "groundcrew-browser-"));
  const options = ["--port", "0", "--data-dir", data, "--sandbox-agent", AGENT, "--web", WEB];
  options.push("--github-key", KEY);
  if (hurried) options.push("--schedule-seconds", "1");
  const env = { ...process.env, ...PLENTY, RATE_LIMITS: UNLIMITED, ...variables };
  const child = spawn(BINARY, options, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const die = () => void child.kill("SIGKILL");
  process.once("exit", die);

  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The stack did not start:\n${log}`)), START_MS);
    const read = (text: string) => {
      log = (log + text).slice(-LOG_CHARS);
      const ready = READY.exec(log);
      if (!ready?.[1]) return;
      clearTimeout(late);
      resolve(ready[1]);
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`The stack ended with ${code}:\n${log}`)));
  }).catch((error) => {
    die();
    throw error;
  });
  const health = await fetch(`${url}/api/health`);
  if (!health.ok) throw new Error(`The stack is not healthy: ${health.status}\n${log}`);

  return {
    url,
    data,
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(die, END_MS);
      await ended;
      clearTimeout(late);
      process.off("exit", die);
      await rm(data, { recursive: true, force: true });
    },
  };
}
