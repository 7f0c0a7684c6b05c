import { expect, test } from "vitest";
import { countsOf, type PlannedValue, planOf, type SavedPlan, sidesOf } from "./planned";

const plan: SavedPlan = {
  sha256: "a",
  readable: true,
  create: 3,
  update: 0,
  replace: 0,
  delete: 1,
  resources: [],
  left_out: 0,
};

const value = (change: Partial<PlannedValue>): PlannedValue => ({
  name: "size",
  hidden: false,
  unknown: false,
  ...change,
});

test("destroyed resources are counted first, and actions that do not occur are not named", () => {
  expect(countsOf(plan).map(({ text }) => text)).toEqual(["1 to delete", "3 to create"]);
});

test("a value is shown before and after, and a sensitive one never", () => {
  expect(sidesOf(value({ before: "1", after: "2" }), "update")).toEqual({ before: "1", after: "2" });
  expect(sidesOf(value({ before: "1" }), "update")).toEqual({ before: "1", after: "removed" });
  expect(sidesOf(value({ before: "1" }), "delete")).toEqual({ before: "1" });
  expect(sidesOf(value({ unknown: true }), "create").after).toBe("known after it is applied");
  expect(sidesOf(value({ hidden: true }), "create")).toEqual({ after: "sensitive, not shown" });
});

test("a plan that was made again is no longer the one that a step applies", () => {
  expect(planOf({})).toBeUndefined();
  expect(planOf({ saved_plan: plan })).toEqual({ is: "saved", plan });
  expect(planOf({ saved_plan: plan, applies_plan: "a" })).toEqual({ is: "applied", plan });
  expect(planOf({ applies_plan: "a" })).toEqual({ is: "gone" });
});
