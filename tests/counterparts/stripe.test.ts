// Stripe's webhooks, signed by Stripe's own library.

import assert from "node:assert/strict";
import { test } from "node:test";
import Stripe from "stripe";
import { type Product, product, type Schemas } from "./product.ts";

/** How old a signature may be, in seconds: the limit of Stripe's library. */
const TOLERANCE = 300;
const stripe = new Stripe("sk_test_unused");

/** Stripe's event about one of the product's checkouts. */
function event(type: string, object: object) {
  const created = Math.floor(Date.now() / 1000);
  const id = `evt_${Math.random().toString(36).slice(2)}`;
  return {
    id,
    object: "event",
    api_version: "2025-06-30.basil",
    created,
    livemode: false,
    pending_webhooks: 1,
    type,
    data: { object },
  };
}

/** The header that Stripe's library creates for these bytes. */
function header(secret: string, payload: string, timestamp = Math.floor(Date.now() / 1000)) {
  return stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

function post(stack: Product, payload: string, signature: string) {
  const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
  return fetch(`${stack.url}/api/payments/stripe/webhook`, { method: "POST", headers, body: payload });
}

/** A user who has begun a payment of this many dollars, and the checkout's state once it is paid. */
async function begun(stack: Product, dollars: number) {
  const { webhook_secret: secret } = await stack.kept("stripe");
  const user = await stack.signIn("payer");
  const path = "/user/credits/create-stripe-payment";
  const { payment_id } = await user.json<Schemas["PaymentLink"]>("POST", path, { amount: dollars });
  const metadata = { installation_id: user.installation, payment_id };
  const session = {
    id: "cs_test_a1",
    object: "checkout.session",
    amount_subtotal: dollars * 100,
    amount_total: dollars * 100,
    currency: "usd",
    metadata,
    mode: "payment",
    payment_intent: "pi_3PaidElsewhere",
    payment_method_types: ["card"],
    payment_status: "paid",
    status: "complete",
    url: null,
  };
  const balance = async () =>
    Number((await user.json<Schemas["Credits"]>("GET", "/user/credits")).credits_balance);
  return { secret, session, metadata, balance, before: await balance() };
}

test("an event that Stripe's library signed is credited once, however often it comes", async (context) => {
  const stack = await product(context);
  const { secret, session, balance, before } = await begun(stack, 25);
  // Stripe sends its events indented.
  const payload = JSON.stringify(event("checkout.session.completed", session), null, 2);
  assert.equal((await post(stack, payload, header(secret, payload))).status, 200);
  assert.equal(await balance(), before + 25);
  const again = await Promise.all(
    Array.from({ length: 8 }, () => post(stack, payload, header(secret, payload))),
  );
  assert.deepEqual(
    again.map(({ status }) => status),
    Array(8).fill(200),
  );
  const other = JSON.stringify(event("checkout.session.async_payment_succeeded", session));
  assert.equal((await post(stack, other, header(secret, other))).status, 200);
  assert.equal(await balance(), before + 25);
});

test("a signature that Stripe's library would refuse is refused", async (context) => {
  const stack = await product(context);
  const { secret, session, balance, before } = await begun(stack, 10);
  const payload = JSON.stringify(event("checkout.session.completed", session));
  const now = Math.floor(Date.now() / 1000);
  const refused: [what: string, body: string, signature: string][] = [
    ["another secret", payload, header("whsec_another", payload)],
    ["another body", payload.replace("1000", "9000"), header(secret, payload)],
    ["too old", payload, header(secret, payload, now - TOLERANCE - 10)],
    ["no signature", payload, `t=${now}`],
    ["another scheme", payload, header(secret, payload).replace("v1=", "v0=")],
  ];
  for (const [what, body, signature] of refused) {
    // The library is checked first, so that the two agree.
    assert.throws(
      () => stripe.webhooks.constructEvent(body, signature, secret),
      Stripe.errors.StripeSignatureVerificationError,
      what,
    );
    assert.equal((await post(stack, body, signature)).status, 400, what);
  }
  assert.equal(await balance(), before);
  const rotated = `${header("whsec_another", payload, now)},${header(secret, payload, now).split(",")[1]}`;
  assert.equal((await post(stack, payload, rotated)).status, 200, "one of two signatures fits");
  assert.equal(await balance(), before + 10);
});

test("a refund lowers the balance, and unrelated events change nothing", async (context) => {
  const stack = await product(context);
  const { secret, session, metadata, balance, before } = await begun(stack, 20);
  const deliver = async (type: string, object: object) => {
    const payload = JSON.stringify(event(type, object));
    return (await post(stack, payload, header(secret, payload))).status;
  };
  assert.equal(await deliver("checkout.session.completed", session), 200);
  const charge = {
    id: "ch_3",
    object: "charge",
    amount: 2000,
    amount_refunded: 500,
    currency: "usd",
    metadata,
    payment_intent: session.payment_intent,
  };
  assert.equal(await deliver("charge.refunded", charge), 200);
  assert.equal(await balance(), before + 15);
  const others = [
    "customer.created",
    "invoice.paid",
    "payment_intent.succeeded",
    "payout.paid",
    "a.kind.of.tomorrow",
  ];
  for (const type of others)
    assert.equal(await deliver(type, { id: "x_1", object: type.split(".")[0] }), 200, type);
  const elsewhere = { ...session, id: "cs_test_b", metadata: {}, payment_intent: "pi_unknown" };
  assert.equal(
    await deliver("checkout.session.completed", elsewhere),
    200,
    "of another product with the same Stripe account",
  );
  assert.equal(await balance(), before + 15);
});
