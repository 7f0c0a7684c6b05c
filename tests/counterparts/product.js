// Groundcrew with these counterparts as outside parties: a local stack, and a user who makes calls without a page.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startStack } from "../browser/support/stack.ts";

/**
 * How long anything that a test waits for may take, in milliseconds. It is more than the step that waits for a server's
 * first login allows, so that a server without logins fails that step, which says why.
 */
const PATIENCE_MS = 240_000;
/** The pause between two checks of a state, in milliseconds. */
const LOOK_MS = 250;

/** For resources that a hook starts and a whole suite uses: the hook's own `after` would end them with the hook. */
export function wholeSuite() {
  /** @type {(() => unknown)[]} */
  const ends = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return { after: (/** @type {() => unknown} */ end) => ends.unshift(end) };
}

/**
 * A local stack with these variables more, ended with the test.
 * @param {import("node:test").TestContext | import("node:test").SuiteContext} context
 * @param {Record<string, string>} [variables]
 */
export async function product(context, variables = {}) {
  const stack = await startStack(variables);
  context.after(() => stack.stop());
  return {
    ...stack,
    /** A secret that one of the simulated outside parties shares with the product. */
    kept: async (name) => JSON.parse(await readFile(join(stack.data, `${name}.json`), "utf8")),
    signIn: (login) => visitor(stack.url, login),
  };
}

/** Signs in through GitHub as a browser does, following its redirects with its cookies. */
export async function visitor(site, login) {
  const cookies = new Map();
  let address = `${site}/api/github/login?login=${login}`;
  // The rest is a page of the application.
  const elsewhere = ({ origin, pathname }) => origin !== site || /^\/(api|_local)\//.test(pathname);
  for (let hops = 0; elsewhere(new URL(address)); hops += 1) {
    if (hops > 10) throw new Error(`The sign-in was redirected too often, last to ${address}`);
    const own = new URL(address).origin === site;
    const headers = own ? { cookie: sent(cookies) } : {};
    const answer = await fetch(address, { redirect: "manual", headers });
    for (const line of own ? answer.headers.getSetCookie() : []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    if (!next) throw new Error(`The sign-in ended at ${address} with ${answer.status}`);
    address = new URL(next, address).href;
  }
  const { searchParams } = new URL(address);
  return new User(site, cookies, searchParams.get("installation_id"), searchParams.get("error"));
}

const sent = (cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** A signed-in user, or the error that they got. */
class User {
  constructor(site, cookies, installation, error) {
    Object.assign(this, { site, cookies, installation, error, project: undefined });
  }

  /** A call of the API with the headers that a browser sends. */
  call(method, path, body) {
    const headers = { cookie: sent(this.cookies), "installation-id": this.installation };
    if (this.project) headers["project-id"] = String(this.project);
    if (body !== undefined) headers["content-type"] = "application/json";
    return fetch(`${this.site}/api${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      redirect: "manual",
    });
  }

  /** The JSON of an answer; anything other than success is an error. */
  async json(method, path, body) {
    const answer = await this.call(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
}

/**
 * What `look` finds, once it finds something.
 * @template T
 * @param {string} what
 * @param {() => Promise<T | undefined | false>} look
 */
export async function soon(what, look) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Timed out after ${PATIENCE_MS / 1000} s: ${what}`);
    await pause(LOOK_MS);
  }
}
