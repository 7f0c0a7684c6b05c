import { expect, test } from "vitest";
import type { Progress, Step } from "../api/execution";
import { turnKey, turnOf, turnText } from "./turn";

const progress = (...statuses: Step["status"][]): Progress => ({
  id: "p",
  currentStep: 1,
  totalSteps: statuses.length,
  steps: statuses.map((status, at) => ({ step_number: at + 1, status, attempt: 1 }) as Step),
});

test("it is the owner's turn when a step waits, when one failed, and when all are done", () => {
  const text = (...statuses: Step["status"][]) => {
    const turn = turnOf(progress(...statuses));
    return turn && turnText(turn, "step");
  };
  expect(text("completed", "waiting_approval")).toBe("Step 2 is waiting for you");
  expect(text("failed", "pending")).toBe("Step 1 failed");
  expect(text("completed", "completed")).toBe("All steps completed");
  expect(text("completed", "in_progress")).toBeUndefined();
  expect(text("pending")).toBeUndefined();
  expect(text()).toBeUndefined();
});

test("a step that is approved automatically does not wait for its owner", () => {
  expect(turnOf(progress("waiting_approval"), true)).toBeUndefined();
  expect(turnOf(progress("failed"), true)?.is).toBe("failed");
});

test("each attempt is a separate turn", () => {
  const first = turnOf(progress("waiting_approval"));
  const second = turnOf({
    ...progress("waiting_approval"),
    steps: [{ ...progress("waiting_approval").steps[0], attempt: 2 } as Step],
  });
  expect(turnKey(first)).not.toBe(turnKey(second));
  expect(turnKey(undefined)).toBe("");
});
