import { api, body } from "./client";
import { problemText } from "./errors";

/** Requests a checkout page for a payment of `amount` dollars. The same `key` is never charged twice. */
export async function createPayment(amount: number, key: string): Promise<string> {
  const { payment_link: link } = await body(
    api.POST("/user/credits/create-stripe-payment", {
      params: { header: { "Idempotency-Key": key } },
      body: { amount },
    }),
  );
  if (!link || !/^https?:\/\//.test(link)) throw new Error("Payment link not received from backend");
  return link;
}

/** The reason why there is no checkout page, in words. */
export function paymentProblem(error: unknown): string {
  return error instanceof Error && error.message ? problemText(error) : "Failed to initiate payment";
}
