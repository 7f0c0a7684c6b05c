import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { executedSteps } from "./executed";

const entry = (about: Partial<AuditEntry>, failure?: "exited" | null): AuditEntry =>
  ({
    track: "execution",
    plan_id: "p",
    step_number: 1,
    run: failure === undefined ? null : { failure },
    ...about,
  }) as AuditEntry;

test("steps that ran to their end are counted once, checks and failures not at all", () => {
  const audit = [
    entry({}, null),
    entry({}, null),
    entry({ step_number: 2 }, "exited"),
    entry({ step_number: 3 }),
    entry({ plan_id: "q" }, null),
    entry({ track: "validation", step_number: 4 }, null),
  ];
  expect(executedSteps(audit)).toBe(2);
  expect(executedSteps([])).toBe(0);
});
