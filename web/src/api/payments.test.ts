import { afterEach, expect, test, vi } from "vitest";
import { api } from "./client";
import { ApiError } from "./errors";
import { createPayment, paymentProblem } from "./payments";

afterEach(() => vi.restoreAllMocks());

const link = "https://pay.example/1";
const opened = { data: { payment_link: link, payment_id: "1" }, response: new Response() };
const failed = (status: number) => ({ error: {}, response: new Response(null, { status }) });

/** Asks for payments of these amounts, which the server answers so, and returns the keys of the calls. */
async function keysOf(...calls: [amount: number, answer: object | TypeError][]): Promise<unknown[]> {
  const post = vi.spyOn(api, "POST");
  for (const [amount, answer] of calls) {
    if (answer instanceof TypeError) post.mockRejectedValueOnce(answer);
    else post.mockResolvedValueOnce(answer as never);
    const payment = createPayment(amount);
    await (answer === opened ? expect(payment).resolves.toBe(link) : expect(payment).rejects.toThrow());
  }
  const made: unknown[][] = post.mock.calls;
  return made.map(([, init]) => Object(init).params.header["Idempotency-Key"]);
}

test("a payment whose answer was lost is the same payment when it is asked for again", async () => {
  const [lost, unavailable, incomplete, other, again, next] = await keysOf(
    [20, new TypeError("Failed to fetch")],
    [20, failed(502)],
    [20, { data: {}, response: new Response() }],
    [50, opened],
    [20, opened],
    [20, opened],
  );
  expect([unavailable, incomplete, again]).toEqual([lost, lost, lost]);
  expect(new Set([lost, other, next]).size).toBe(3);
});

test("a payment that the server refused is a new one when it is asked for again", async () => {
  const [refused, again] = await keysOf([20, failed(409)], [20, opened]);
  expect(again).not.toBe(refused);
});

test("a payment that could not be started has a reason or a general text", () => {
  const refused = new ApiError(new Response(null, { status: 422 }), { detail: "Minimum amount is $1" });
  expect(paymentProblem(refused)).toBe("Minimum amount is $1");
  expect(paymentProblem(new Error("Payment link not received from backend"))).toBe(
    "Payment link not received from backend",
  );
  expect(paymentProblem(new Error(""))).toBe("Failed to initiate payment");
  expect(paymentProblem("nonsense")).toBe("Failed to initiate payment");
});
