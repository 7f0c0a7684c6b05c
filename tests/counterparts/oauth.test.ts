// The sign-in with a third-party authorization server in place of GitHub's.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { OAuth2Server } from "oauth2-mock-server";
import { portOf } from "./litellm.ts";
import { type Lasting, product, type Schemas } from "./product.ts";

interface Example {
  name: string;
  examples: Payload[];
}
interface Payload {
  sender: { login: string };
  installation: { id: number; account: { login: string }; app_slug?: string; suspended_at?: string | null };
}

const examples: Example[] = createRequire(import.meta.url)("@octokit/webhooks-examples");
/** A user and one of their installations, from octokit's collection. */
const example = examples
  .find(({ name }) => name === "installation")
  ?.examples.find(({ installation }) => !installation.suspended_at);
assert.ok(example);
const { sender, installation } = example;

/** Maps GitHub's paths to those of the server. */
const endpoints = { authorize: "/login/oauth/authorize", token: "/login/oauth/access_token" };

/** The fields of a request or an answer. */
type Fields = Record<string, string>;

/** The authorization server, and an API that accepts the tokens it has issued. */
async function github(context: Lasting) {
  const server = new OAuth2Server(undefined, undefined, { endpoints });
  await server.issuer.keys.generate("RS256");
  const seen: { authorize: Fields[]; token: Fields[]; tokens: Set<unknown> } = {
    authorize: [],
    token: [],
    tokens: new Set(),
  };
  server.service.on("beforeAuthorizeRedirect", (_redirect: unknown, { query }: { query: Fields }) =>
    seen.authorize.push(query),
  );
  server.service.on("beforeResponse", ({ body }: { body: Fields }, request: { body: Fields }) => {
    seen.token.push(request.body);
    if (body.access_token) seen.tokens.add(body.access_token);
  });
  await server.start(0, "127.0.0.1");
  context.after(() => server.stop());

  const answers: Record<string, object> = {
    "/user": sender,
    "/user/installations": { total_count: 1, installations: [installation] },
    // Asked only if the collection's account is an organization.
    [`/user/memberships/orgs/${installation.account.login}`]: {
      state: "active",
      organization: installation.account,
      user: sender,
    },
  };
  const api = createServer((request, response) => {
    const known = seen.tokens.has(request.headers.authorization?.replace(/^Bearer /, ""));
    const answer = known && answers[new URL(request.url ?? "", "http://api").pathname];
    response.writeHead(known ? (answer ? 200 : 404) : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(answer || { message: "Bad credentials" }));
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  context.after(() => api.close());
  const stack = await product(context, {
    GITHUB_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    GITHUB_API_URL: `http://127.0.0.1:${portOf(api)}`,
    GITHUB_APP_SLUG: installation.app_slug ?? "groundcrew-local",
  });
  return { server, seen, stack };
}

test("a sign-in works with a server that implements RFC 6749 and RFC 7636 but is not GitHub", async (context) => {
  const { seen, stack } = await github(context);
  const user = await stack.signIn("ada");
  assert.equal(user.error, null);
  assert.equal(Number(user.installation), installation.id);
  assert.equal((await user.json<Schemas["UserProfile"]>("GET", "/github/user")).login, sender.login);

  const [[asked], [exchanged]] = [seen.authorize, seen.token];
  assert.ok(asked && exchanged);
  assert.equal(asked.response_type, "code");
  assert.equal(exchanged.grant_type, "authorization_code");
  assert.equal(asked.code_challenge_method, "S256");
  const digest = createHash("sha256")
    .update(exchanged.code_verifier ?? "")
    .digest("base64url");
  assert.equal(asked.code_challenge, digest);
  assert.equal(exchanged.redirect_uri, asked.redirect_uri);
  assert.equal(exchanged.client_id, asked.client_id);
  assert.equal(asked.client_secret, undefined, "a secret in an address");
});

test("a code of another person's sign-in opens no session", async (context) => {
  const { server, seen, stack } = await github(context);
  // The owner's verifier is in another browser.
  let stolen: string | null | undefined;
  server.service.on("beforeAuthorizeRedirect", ({ url }: { url: URL }) => {
    if (stolen) url.searchParams.set("code", stolen);
    stolen ??= url.searchParams.get("code");
  });
  server.service.once("beforeAuthorizeRedirect", ({ url }: { url: URL }) =>
    url.searchParams.set("error", "access_denied"),
  );
  assert.equal((await stack.signIn("victim")).error, "denied");
  const thief = await stack.signIn("thief");
  assert.match(thief.error ?? "", /^(expired|github)$/);
  assert.equal(thief.installation, null);
  assert.equal((await thief.call("GET", "/github/user")).status, 401);
  assert.equal(seen.tokens.size, 0);
});

test("a refused code asks the visitor to sign in again, and a server that fails to try later", async (context) => {
  const { server, stack } = await github(context);
  const failures: [statusCode: number, error: string, expected: string][] = [
    [400, "invalid_grant", "expired"],
    [400, "unauthorized_client", "github"],
    [500, "server_error", "github"],
  ];
  for (const [statusCode, error, expected] of failures) {
    server.service.once("beforeResponse", (response: object) =>
      Object.assign(response, { statusCode, body: { error } }),
    );
    assert.equal((await stack.signIn("ada")).error, expected, `${statusCode} ${error}`);
  }
  assert.equal((await stack.signIn("ada")).error, null);
});
