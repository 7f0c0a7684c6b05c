import { expect, test } from "vitest";
import { statusTone } from "./step-status";

test("a step that its owner rejected is not shown as one that went wrong", () => {
  expect(statusTone({ status: "failed", failure: "exit_code" })).toBe("bad");
  expect(statusTone({ status: "failed", failure: "rejected" })).toBe("idle");
  expect(statusTone({ status: "waiting_approval", failure: null })).toBe("signal");
});

test("a step whose agent asks its owner something is not shown as one that went wrong", () => {
  const error_message = "The agent asks: Which port? Answer in the chat, then start this again.";
  expect(statusTone({ status: "failed", failure: "preparation_failed", error_message })).toBe("signal");
  expect(statusTone({ status: "failed", failure: "preparation_failed", error_message: "No." })).toBe("bad");
});
