import { expect, test } from "vitest";
import { startValidation, type ValidationSteps } from "./start-validation";

function steps(changes: Partial<ValidationSteps> = {}) {
  const said: string[] = [];
  const done: string[] = [];
  const all: ValidationSteps = {
    plan: async () => void done.push("plan"),
    trigger: async () => {
      done.push("trigger");
      return { status: "success" };
    },
    complete: async () => void done.push("complete"),
    say: (status) => void said.push(status),
    ...changes,
  };
  return { all, done, said };
}
const fails = async () => {
  throw new Error("boom");
};

test("the plan is written, then validation is triggered, then the execution is completed", async () => {
  const { all, done, said } = steps();
  await startValidation(all);
  expect(done).toEqual(["plan", "trigger", "complete"]);
  expect(said).toHaveLength(3);
});

test("a plan that cannot be written stops the start", async () => {
  const { all, done } = steps({ plan: fails });
  await expect(startValidation(all)).rejects.toThrow(
    "Failed to create validation plan. Please try again or contact support.",
  );
  expect(done).toEqual([]);
});

test("a trigger that fails and one that is refused have different errors", async () => {
  const failing = steps({ trigger: fails });
  await expect(startValidation(failing.all)).rejects.toThrow(
    "Failed to start validation. Please try again or contact support.",
  );
  const refused = steps({ trigger: async () => ({ status: "error" }) });
  await expect(startValidation(refused.all)).rejects.toThrow(
    "Failed to start validation process. Please try again.",
  );
  expect(refused.done).toEqual(["plan"]);
});

test("any other failure is reported as a failure to change the stage", async () => {
  const { all } = steps({ complete: fails });
  await expect(startValidation(all)).rejects.toThrow(
    "Failed to move to validation stage. Please try again or contact support.",
  );
});
