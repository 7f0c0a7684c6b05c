import { api, body } from "./client";
import { problemText } from "./errors";
import { IdempotencyKeys } from "./idempotency";

/** Outlives the modal: a person who closed it after a failure and asks for the same amount gets the same payment. */
const keys = new IdempotencyKeys();

/** Requests a checkout page for a payment of `amount` dollars. */
export const createPayment = (amount: number): Promise<string> =>
  keys.send(amount, async (key) => {
    const params = { header: { "Idempotency-Key": key } };
    const { payment_link: link } = await body(
      api.POST("/user/credits/create-stripe-payment", { params, body: { amount } }),
    );
    // Without the page the payment has not begun for its payer, so it keeps its key.
    if (!link || !/^https?:\/\//.test(link)) throw new Error("Payment link not received from backend");
    return link;
  });

/** The reason why there is no checkout page, in words. */
export function paymentProblem(error: unknown): string {
  return error instanceof Error && error.message ? problemText(error) : "Failed to initiate payment";
}
