import { expect, test } from "vitest";
import { ApiError } from "./errors";
import { IdempotencyKeys } from "./idempotency";

const answer = (status: number) => new ApiError(new Response(null, { status }), {});

/** Makes calls for these requests, each with this outcome, and returns their keys. */
async function keysOf(calls: readonly (readonly [request: string, outcome: Error | undefined])[]) {
  const idempotency = new IdempotencyKeys();
  const keys: string[] = [];
  for (const [request, outcome] of calls) {
    const sent = idempotency.send(request, async (key) => {
      keys.push(key);
      if (outcome) throw outcome;
    });
    await (outcome ? expect(sent).rejects.toBe(outcome) : sent);
  }
  return keys;
}

test("a request keeps its key until the server has answered", async () => {
  const lost = new TypeError("Failed to fetch");
  const [first, second, third, other] = await keysOf([
    ["Shop", lost],
    ["Shop", answer(502)],
    ["Shop", undefined],
    ["Blog", lost],
  ]);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("after an answer the same request is a new one", async () => {
  for (const outcome of [undefined, answer(409)]) {
    const [first, second] = await keysOf([
      ["Shop", outcome],
      ["Shop", undefined],
    ]);
    expect(second).not.toBe(first);
  }
});
