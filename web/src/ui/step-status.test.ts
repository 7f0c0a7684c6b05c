import { expect, test } from "vitest";
import { statusTone } from "./step-status";

test("a step that its owner rejected is not shown as one that went wrong", () => {
  expect(statusTone({ status: "failed", failure: "exit_code" })).toBe("bad");
  expect(statusTone({ status: "failed", failure: "rejected" })).toBe("idle");
  expect(statusTone({ status: "waiting_approval", failure: null })).toBe("signal");
});
