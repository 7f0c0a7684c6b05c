import { expect, test } from "vitest";
import { ApiError, isTransient, problemText } from "./errors";

const refusal = (body: unknown, status = 422, statusText = "Unprocessable") =>
  new ApiError(new Response(null, { status, statusText }), body);

test("an error shows its detail, otherwise its message, otherwise its status", () => {
  expect(refusal({ detail: "No.", message: "no" }).message).toBe("No.");
  expect(refusal({ message: "no" }).message).toBe("no");
  expect(refusal({}).message).toBe("HTTP 422: Unprocessable");
  expect(refusal("gateway down", 502, "Bad Gateway").message).toBe("HTTP 502: gateway down");
  expect(refusal("", 502, "Bad Gateway").message).toBe("HTTP 502: Bad Gateway");
  expect(refusal("", 502, "").message).toBe("HTTP 502");
});

test("a network failure has a message for the user", () => {
  expect(problemText(new TypeError("Failed to fetch"))).toContain("cannot be reached");
});

test("only a temporary failure is worth repeating", () => {
  expect(isTransient(refusal({}, 409))).toBe(false);
  expect(isTransient(refusal({}, 503))).toBe(true);
  expect(isTransient(new TypeError("Failed to fetch"))).toBe(true);
});
