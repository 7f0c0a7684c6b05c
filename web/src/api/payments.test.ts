import { expect, test } from "vitest";
import { ApiError } from "./errors";
import { paymentProblem } from "./payments";

test("a payment that could not be started has a reason or a general text", () => {
  const refused = new ApiError(new Response(null, { status: 422 }), { detail: "Minimum amount is $1" });
  expect(paymentProblem(refused)).toBe("Minimum amount is $1");
  expect(paymentProblem(new Error("Payment link not received from backend"))).toBe(
    "Payment link not received from backend",
  );
  expect(paymentProblem(new Error(""))).toBe("Failed to initiate payment");
  expect(paymentProblem("nonsense")).toBe("Failed to initiate payment");
});
