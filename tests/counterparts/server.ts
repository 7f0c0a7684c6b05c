// Runs server.py as a process: a Debian server on which a test can run commands as root.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Lasting } from "./product.ts";

const PROGRAM = fileURLToPath(new URL("server.py", import.meta.url));

/** The packages that Hetzner's image has and the catalogue's roles expect or install. */
const PACKAGES = [
  "python3",
  "python3-apt",
  "iproute2",
  "procps",
  "cloud-init",
  "ufw",
  "unattended-upgrades",
  "apt-listchanges",
  "needrestart",
];

/** A server in a container. */
export interface Machine {
  address: string;
  /** The output of a command that runs there as root; a nonzero exit code is an error. */
  run: (command: string) => Promise<string>;
}

/** Starts it. `skipped` says why it is unavailable. */
export async function server(context: Lasting): Promise<Machine & { skipped?: string }> {
  const child = spawn("python3", [PROGRAM, ...PACKAGES], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  context.after(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("server.py ended; its output is above");
    return JSON.parse(value);
  };
  const { address, skipped } = await said();
  return {
    address,
    skipped,
    async run(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const { code, output } = await said();
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
      return output;
    },
  };
}
