// Runs bedrock.py as a process: Bedrock's API in front of a model, with botocore validating both sides.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Lasting } from "./product.ts";

const PROGRAM = fileURLToPath(new URL("bedrock.py", import.meta.url));
const PYTHON = fileURLToPath(new URL("../../target/counterparts-venv/bin/python", import.meta.url));

/** Starts it in front of this upstream; returns its address, and its complaints about requests. */
export async function bedrock(context: Lasting, upstream: string) {
  const child = spawn(PYTHON, [PROGRAM, upstream], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  context.after(async () => {
    child.stdin.end();
    await ended;
  });
  const { value: url, done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (done) throw new Error(`bedrock.py ended: ${complaints}`);
  return { url, complaints: () => complaints };
}
