import { expect, test } from "vitest";
import { outcomeOf, outcomeOfPayment, outcomeWord, paidAmount } from "./outcome";

test("only a successful payment is shown as successful", () => {
  expect(outcomeOf("success").title).toBe("Payment successful");
  for (const status of ["pending", "failed", "cancelled"] as const) expect(outcomeOf(status).is).toBe(status);
  for (const status of [null, "", "SUCCESS", "toString", "unknown"])
    expect(outcomeOf(status).is).toBe("unknown");
});

test("an amount is read as a decimal, or is absent", () => {
  expect(paidAmount("25.00")).toBe(25);
  for (const text of [null, "", "nonsense", "-5", "0", "Infinity"]) expect(paidAmount(text)).toBeUndefined();
});

test("a payment that was pending ends as its history says", () => {
  expect(outcomeOfPayment("pending").is).toBe("pending");
  expect(outcomeOfPayment("completed").is).toBe("success");
  for (const status of ["failed", "expired"] as const) expect(outcomeOfPayment(status).is).toBe("failed");
});

test("the outcome is a word for people", () => {
  expect(outcomeWord(outcomeOf("cancelled"), "cancelled")).toBe("canceled");
  expect(outcomeWord(outcomeOf("success"), "pending")).toBe("success");
  expect(outcomeWord(outcomeOf("odd"), "odd")).toBe("odd");
});
