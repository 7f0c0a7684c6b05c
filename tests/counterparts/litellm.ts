// Runs LiteLLM's proxy as a process, and behind it a recorder in front of the blueprint model.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Lasting, soon } from "./product.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const LITELLM = fileURLToPath(new URL("../../target/counterparts-venv/bin/litellm", import.meta.url));
/** How much of its log a failure shows, in characters. */
const LOG_CHARS = 4_000;

/** The calls that a recorder has passed on, and the tokens that the model counted. */
export interface Recorded {
  calls: number;
  input: number;
  output: number;
}

/** The port on which a server listens. */
export const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Passes chat completions on to `upstream` and adds up the usage that it reports. */
export async function recorder(context: Lasting, upstream: string) {
  const recorded: Recorded = { calls: 0, input: 0, output: 0 };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(`${upstream}${request.url}`, {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json", authorization: "Bearer none" },
      ...(body.length ? { body } : {}),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    let text = "";
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      response.write(part);
    }
    response.end();
    const usage = [...text.matchAll(/"usage":(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/g)].at(-1)?.[1];
    if (!answer.ok || !usage) return;
    const { prompt_tokens, completion_tokens } = JSON.parse(usage);
    recorded.calls += 1;
    recorded.input += prompt_tokens;
    recorded.output += completion_tokens;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  return { url: `http://127.0.0.1:${portOf(server)}`, recorded };
}

/** Starts the proxy in front of this upstream; returns its address and the key that it requires. */
export async function litellm(context: Lasting, upstream: string) {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const port = portOf(probe);
  probe.close();
  const key = "sk-counterpart";
  const env = {
    ...process.env,
    UPSTREAM: upstream,
    MASTER_KEY: key,
    // Otherwise it would download a price list, and ask a proxy for addresses of this machine.
    LITELLM_LOCAL_MODEL_COST_MAP: "True",
    NO_PROXY: "localhost,127.0.0.1",
  };
  const options = [
    "--config",
    "litellm.yaml",
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--telemetry",
    "False",
  ];
  const child = spawn(LITELLM, options, { cwd: HERE, env, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-LOG_CHARS);
    });
  const die = () => void child.kill("SIGKILL");
  process.once("exit", die);
  context.after(() => {
    process.off("exit", die);
    die();
  });
  const url = `http://127.0.0.1:${port}`;
  await soon("LiteLLM to answer", async () => {
    if (child.exitCode !== null) throw new Error(`LiteLLM ended with ${child.exitCode}:\n${log}`);
    return fetch(`${url}/health/liveliness`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { url, key, log: () => log };
}
