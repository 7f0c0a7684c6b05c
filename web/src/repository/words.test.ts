import { expect, test } from "vitest";
import { ApiError } from "../api/errors";
import { pushProblem } from "./words";

const refusal = (code: string) => new ApiError(new Response(null, { status: 504 }), { code, detail: "Why." });

test("a failed push says that nothing was pushed only if that is known", () => {
  expect(pushProblem(refusal("push_too_slow"))).toBe("Nothing was pushed. Why.");
  expect(pushProblem(refusal("push_unclear"))).toBe("Why.");
  expect(pushProblem(new TypeError("fetch"))).toBe("The server cannot be reached. Check your connection.");
});
