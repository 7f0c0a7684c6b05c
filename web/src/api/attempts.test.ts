import { expect, test } from "vitest";
import { Attempts } from "./attempts";
import { ApiError } from "./errors";

const answer = (status: number) => new ApiError(new Response(null, { status }), {});

/** Makes calls for these wishes, each with this outcome, and returns their keys. */
async function keysOf(calls: readonly (readonly [wish: string, outcome: Error | undefined])[]) {
  const attempts = new Attempts();
  const keys: string[] = [];
  for (const [wish, outcome] of calls) {
    const made = attempts.make(wish, async (key) => {
      keys.push(key);
      if (outcome) throw outcome;
    });
    await (outcome ? expect(made).rejects.toBe(outcome) : made);
  }
  return keys;
}

test("a wish keeps its key until the server has answered", async () => {
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

test("after an answer the same wish is a new one", async () => {
  for (const outcome of [undefined, answer(409)]) {
    const [first, second] = await keysOf([
      ["Shop", outcome],
      ["Shop", undefined],
    ]);
    expect(second).not.toBe(first);
  }
});
