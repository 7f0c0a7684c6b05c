// GitHub's webhooks as collected by octokit, signed by octokit's own library.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { test } from "node:test";
import { sign } from "@octokit/webhooks-methods";
import { type Product, product, type Schemas } from "./product.ts";

// The package is a single JSON file, which Node 20 imports this way.
const examples: Example[] = createRequire(import.meta.url)("@octokit/webhooks-examples");

interface Example {
  name: string;
  examples: Payload[];
}

/** The parts of a payload that the tests read or replace. */
interface Payload {
  action?: string;
  zen?: string;
  installation?: { id: number };
  sender?: { id: number };
  member?: { id: number };
  membership?: { user?: { id: number } };
}

/** Every delivery in the collection: its event and its payload. */
const DELIVERIES = examples.flatMap(({ name, examples }) =>
  examples.map((payload) => ({ event: name, payload })),
);
/** What ends a user's sessions, with the action in the collection that has the same form. */
const ENDS: [event: string, action: string, shown: string][] = [
  ["github_app_authorization", "revoked", "revoked"],
  ["installation", "deleted", "deleted"],
  ["installation", "suspend", "suspend"],
  ["membership", "removed", "removed"],
  // The collection has no user who leaves here, but one who joins.
  ["member", "removed", "added"],
  ["organization", "member_removed", "member_added"],
];

async function secretOf(stack: Product) {
  return (await stack.kept("github")).webhook_secret;
}

interface Delivery {
  event: string;
  payload: Payload;
  delivery?: string;
}

/** Sends a delivery as GitHub does, signed with the secret or with a given signature. */
async function deliver(
  stack: Product,
  {
    event,
    payload,
    delivery = randomUUID(),
    ...signed
  }: Delivery & ({ secret: string } | { signature: string }),
) {
  const body = JSON.stringify(payload);
  return fetch(`${stack.url}/api/github/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/044aadd",
      "x-github-event": event,
      "x-github-delivery": delivery,
      "x-github-hook-installation-target-type": "integration",
      "x-hub-signature-256": "signature" in signed ? signed.signature : await sign(signed.secret, body),
    },
    body,
  });
}

/** Calls `work` for each item, this many at once. */
async function each<T>(items: T[], work: (item: T) => Promise<void>, atOnce = 8) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test("every delivery of the collection is accepted, and every forged one is refused", async (context) => {
  const stack = await product(context);
  const secret = await secretOf(stack);
  assert.ok(DELIVERIES.length > 300, `${DELIVERIES.length} deliveries`);
  const wrong: string[] = [];
  await each(DELIVERIES, async ({ event, payload }) => {
    const { status } = await deliver(stack, { event, payload, secret });
    const forged = await deliver(stack, { event, payload, secret: "another secret" });
    if (status !== 204 || forged.status !== 401)
      wrong.push(`${event} ${payload.action}: ${status}, forged ${forged.status}`);
  });
  assert.deepEqual(wrong, []);
});

test("deliveries of the collection, with ids of this stack, end the sessions of their users", async (context) => {
  const stack = await product(context);
  const secret = await secretOf(stack);
  for (const [number, [event, action, shown]] of ENDS.entries()) {
    const kind = `${event} ${action}`;
    const user = await stack.signIn(`octokit-${number}`);
    const bystander = await stack.signIn("bystander");
    const profile = await user.json<Schemas["UserProfile"]>("GET", "/github/user");
    const id = Number(profile.avatar_url.split("/").at(-1));
    const example = DELIVERIES.find((one) => one.event === event && one.payload.action === shown);
    assert.ok(example, kind);
    const payload = { ...structuredClone(example.payload), action };
    payload.installation = { ...payload.installation, id: Number(user.installation) };
    for (const person of [payload.sender, payload.member, payload.membership?.user])
      if (person) person.id = id;
    const delivery = randomUUID();
    assert.equal((await deliver(stack, { event, payload, secret, delivery })).status, 204, kind);
    assert.equal((await user.call("GET", "/github/user")).status, 401, `${kind} ends the session`);
    assert.equal((await bystander.call("GET", "/github/user")).status, 200, `${kind} is about one person`);
    assert.equal((await deliver(stack, { event, payload, secret, delivery })).status, 204, `${kind} again`);
  }
});

test("a signature covers the exact bytes", async (context) => {
  const stack = await product(context);
  const secret = await secretOf(stack);
  const ping = DELIVERIES.find(({ event }) => event === "ping");
  assert.ok(ping);
  const { event, payload } = ping;
  const good = await sign(secret, JSON.stringify(payload));
  const altered = { ...payload, zen: "Anything added dilutes everything else?" };
  const wrong: [what: string, one: { payload: Payload; signature: string }][] = [
    ["another body", { payload: altered, signature: good }],
    ["no prefix", { payload, signature: good.slice("sha256=".length) }],
    ["SHA-1", { payload, signature: good.replace("sha256", "sha1") }],
    ["none", { payload, signature: "" }],
  ];
  for (const [what, one] of wrong) assert.equal((await deliver(stack, { event, ...one })).status, 401, what);
  assert.equal((await deliver(stack, { event, payload, signature: good })).status, 204);
});
