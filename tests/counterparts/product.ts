// Groundcrew with these counterparts as outside parties: a local stack, and a user who makes calls without a page.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { components } from "../../web/src/api/schema.ts";
import { startStack } from "../browser/support/stack.ts";

/**
 * How long anything that a test waits for may take, in milliseconds. It is more than the step that waits for a server's
 * first login allows, so that a server without logins fails that step, which says why.
 */
const PATIENCE_MS = 240_000;
/** The pause between two checks of a state, in milliseconds. */
const LOOK_MS = 250;

/** The bodies of the API's contract. */
export type Schemas = components["schemas"];

/** A test or a suite: what it started ends with it. */
export interface Lasting {
  after: (end: () => unknown) => unknown;
}

/** For resources that a hook starts and a whole suite uses: the hook's own `after` would end them with the hook. */
export function wholeSuite(): Lasting {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return { after: (end) => ends.unshift(end) };
}

/** A local stack with additional variables. */
export type Product = Awaited<ReturnType<typeof product>>;

/** A local stack with these variables more, ended with the test. */
export async function product(context: Lasting, variables: Record<string, string> = {}) {
  const stack = await startStack(variables);
  context.after(() => stack.stop());
  return {
    ...stack,
    /** A secret that one of the simulated outside parties shares with the product. */
    kept: async (name: string): Promise<{ webhook_secret: string }> =>
      JSON.parse(await readFile(join(stack.data, `${name}.json`), "utf8")),
    signIn: (login: string) => visitor(stack.url, login),
  };
}

/** Signs in through GitHub as a browser does, following its redirects with its cookies. */
export async function visitor(site: string, login: string) {
  const cookies: Cookies = new Map();
  let address = `${site}/api/github/login?login=${login}`;
  // The rest is a page of the application.
  const elsewhere = ({ origin, pathname }: URL) => origin !== site || /^\/(api|_local)\//.test(pathname);
  for (let hops = 0; elsewhere(new URL(address)); hops += 1) {
    if (hops > 10) throw new Error(`The sign-in was redirected too often, last to ${address}`);
    const own = new URL(address).origin === site;
    const headers: Record<string, string> = own ? { cookie: sent(cookies) } : {};
    const answer = await fetch(address, { redirect: "manual", headers });
    for (const line of own ? answer.headers.getSetCookie() : []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    if (!next) throw new Error(`The sign-in ended at ${address} with ${answer.status}`);
    address = new URL(next, address).href;
  }
  const { searchParams } = new URL(address);
  return new User(site, cookies, searchParams.get("installation_id"), searchParams.get("error"));
}

type Cookies = Map<string, string>;

const sent = (cookies: Cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** A signed-in user, or the error that they got. */
export class User {
  readonly site: string;
  readonly cookies: Cookies;
  readonly installation: string | null;
  readonly error: string | null;
  /** The open project. */
  project: number | undefined;

  constructor(site: string, cookies: Cookies, installation: string | null, error: string | null) {
    this.site = site;
    this.cookies = cookies;
    this.installation = installation;
    this.error = error;
  }

  /** A call of the API with the headers that a browser sends. */
  call(method: string, path: string, body?: object) {
    const headers: Record<string, string> = {
      cookie: sent(this.cookies),
      "installation-id": String(this.installation),
    };
    if (this.project) headers["project-id"] = String(this.project);
    if (body !== undefined) headers["content-type"] = "application/json";
    return fetch(`${this.site}/api${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: "manual",
    });
  }

  /** The JSON of an answer, in the contract's words; anything other than success is an error. */
  async json<Body = undefined>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.call(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text ? JSON.parse(text) : undefined) as Body;
  }
}

/** What `look` finds, once it finds something. */
export async function soon<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Timed out after ${PATIENCE_MS / 1000} s: ${what}`);
    await pause(LOOK_MS);
  }
}
