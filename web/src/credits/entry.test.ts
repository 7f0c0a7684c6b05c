import { expect, test } from "vitest";
import { signedAmount, titleOf } from "./entry";

const payment = { transaction_type: "add", amount: 25, description: null } as const;

test("a payment that added nothing is not called credits, and its amount has no sign", () => {
  for (const status of ["pending", "failed", "expired"] as const) {
    expect(titleOf({ ...payment, status })).toBe("Payment");
    expect(signedAmount({ ...payment, status })).toBe("$25.00");
  }
  for (const status of ["completed", "disputed", "refunded"] as const) {
    expect(titleOf({ ...payment, status })).toBe("Credits added");
    expect(signedAmount({ ...payment, status })).toBe("+$25.00");
  }
});

test("usage is subtracted, with fractions of a cent", () => {
  const usage = {
    transaction_type: "use",
    amount: 0.0123,
    status: "completed",
    description: "Planning",
  } as const;
  expect(titleOf(usage)).toBe("Planning");
  expect(signedAmount(usage)).toBe("−$0.0123");
});
