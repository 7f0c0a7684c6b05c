import { expect, test } from "vitest";
import type { Coverage } from "../api/validation";
import { traceOf } from "./requirements";

const requirement: Coverage = {
  id: "R1",
  wish: "a VPS",
  fate: "built",
  how: "",
  steps: [
    { number: 1, status: "completed", outdated: false },
    { number: 3, status: "completed", outdated: false },
  ],
  checks: [{ number: 2, status: "completed", outdated: false }],
  verdict: "proved",
};

test("a requirement names its steps and its check", () => {
  expect(traceOf(requirement)).toBe("Steps 1, 3 · Check 2");
});

test("missing parts are named", () => {
  expect(traceOf({ ...requirement, steps: [], checks: [] })).toBe("No step names it · No check names it");
});

test("a requirement that is built differently says how, and one that is not built says why", () => {
  expect(traceOf({ ...requirement, fate: "differently", how: "MySQL 8.4" })).toBe(
    "Instead: MySQL 8.4 · Steps 1, 3 · Check 2",
  );
  expect(traceOf({ ...requirement, fate: "not", how: "not understood" })).toBe("not understood");
  expect(traceOf({ ...requirement, fate: "not" })).toBe("It is not part of the plan.");
});
