import fc from "fast-check";
import { expect, test } from "vitest";
import type { Transaction } from "../api/user";
import { amountOf, amountProblem, dollars, isPaid, readingProblem, typedAmount } from "./rules";

test("the input keeps digits and one decimal point, also if it is typed as a comma", () => {
  expect(typedAmount("", "12")).toBe("12");
  expect(typedAmount("12", "12.")).toBe("12.");
  expect(typedAmount("12.", "12.5")).toBe("12.5");
  expect(typedAmount("12.5", "12.5.")).toBe("12.5");
  expect(typedAmount("0", "0,")).toBe("0.");
  expect(typedAmount("0.7", "0.7,")).toBe("0.7");
  expect(typedAmount("12", "12a")).toBe("12");
  expect(typedAmount("12", "-12")).toBe("12");
  expect(typedAmount("1", "1e3")).toBe("1");
  expect(typedAmount("12", "")).toBe("");
});

test("whatever the user types, the input holds digits and at most one point", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (keys) => {
      const held = keys.reduce((text, key) => typedAmount(text, text + key), "");
      expect(held).toMatch(/^\d*\.?\d*$/);
    }),
  );
});

test.each([
  ["0,75", 0.75],
  ["12,50", 12.5],
  ["12,5", 12.5],
  ["12,", 12],
  [",5", 0.5],
  ["10000.01", 10000.01],
])("%s is read as %d", (typed, amount) => {
  const text = typedAmount("", typed);
  expect(amountOf(text)).toBe(amount);
  expect(readingProblem(text)).toBeUndefined();
});

test.each(["1,250", "1.250", "0.999"])("%s is refused with a reason instead of a guess", (typed) => {
  const text = typedAmount("", typed);
  expect(amountOf(text)).toBeNaN();
  expect(readingProblem(text)).toContain("without a sign between the thousands");
});

test("an empty input has no amount and no problem yet", () => {
  for (const text of ["", ".", ","]) {
    expect(amountOf(text)).toBeNaN();
    expect(readingProblem(text)).toBeUndefined();
  }
});

test("an amount has to be a number above zero, between the two limits", () => {
  for (const text of ["", ".", "0", "0.00"]) {
    expect(amountProblem(amountOf(text))).toBe("Please enter a valid amount greater than $0");
  }
  expect(amountProblem(amountOf("0.99"))).toBe("Minimum amount is $1");
  expect(amountProblem(amountOf("1"))).toBeUndefined();
  expect(amountProblem(amountOf("10000"))).toBeUndefined();
  expect(amountProblem(amountOf("10000.01"))).toBe("Maximum amount is $10,000");
});

test("a whole amount has no cents", () => {
  expect(dollars(25)).toBe("$25");
  expect(dollars(25.5)).toBe("$25.50");
  expect(dollars(1.999)).toBe("$2");
  expect(dollars(Number.NaN)).toBe("$0");
});

test("a payment has arrived once a newer entry with its amount is completed", () => {
  const entry = (id: string, amount: number, status: Transaction["status"]): Transaction => ({
    id,
    amount,
    status,
    transaction_type: "add",
    payment_method: "Card",
    description: null,
    project_id: null,
    created_at: "2026-01-01T00:00:00Z",
  });
  const old = [entry("2", 10, "completed"), entry("1", 25, "completed")];
  const wanted = { amount: 25, before: new Set(["2"]) };
  expect(isPaid(old, wanted)).toBe(false);
  expect(isPaid([entry("3", 25, "pending"), ...old], wanted)).toBe(false);
  expect(isPaid([entry("3", 50, "completed"), ...old], wanted)).toBe(false);
  expect(isPaid([entry("3", 25, "completed"), ...old], wanted)).toBe(true);
  expect(isPaid([entry("3", 25, "completed")], { amount: 25, before: new Set() })).toBe(true);
  expect(isPaid([entry("3", 25, "completed"), ...old], { amount: 25, before: undefined })).toBe(false);
});
