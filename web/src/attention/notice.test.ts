import { expect, test } from "vitest";
import type { Progress, Step } from "../api/execution";
import { noticeKey, noticeOf, noticeText } from "./notice";

const progress = (...statuses: Step["status"][]): Progress => ({
  id: "p",
  currentStep: 1,
  totalSteps: statuses.length,
  steps: statuses.map((status, at) => ({ step_number: at + 1, status, attempt: 1 }) as Step),
});

test("the owner gets a notice when a step waits, when one failed, and when all are done", () => {
  const text = (...statuses: Step["status"][]) => {
    const notice = noticeOf(progress(...statuses));
    return notice && noticeText(notice, "step");
  };
  expect(text("completed", "waiting_approval")).toBe("Step 2 is waiting for you");
  expect(text("failed", "pending")).toBe("Step 1 failed");
  expect(text("completed", "completed")).toBe("All steps completed");
  expect(text("completed", "in_progress")).toBeUndefined();
  expect(text("pending")).toBeUndefined();
  expect(text()).toBeUndefined();
});

test("a step that is approved automatically does not wait for its owner", () => {
  expect(noticeOf(progress("waiting_approval"), true)).toBeUndefined();
  expect(noticeOf(progress("failed"), true)?.is).toBe("failed");
});

test("each attempt has a separate notice", () => {
  const first = noticeOf(progress("waiting_approval"));
  const second = noticeOf({
    ...progress("waiting_approval"),
    steps: [{ ...progress("waiting_approval").steps[0], attempt: 2 } as Step],
  });
  expect(noticeKey(first)).not.toBe(noticeKey(second));
  expect(noticeKey(undefined)).toBe("");
});
