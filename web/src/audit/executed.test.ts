import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { executedSteps } from "./executed";

const entry = (about: Partial<AuditEntry>, failure?: "exited" | null): AuditEntry =>
  ({
    track: "execution",
    plan_id: "p",
    step_number: 1,
    run: failure === undefined ? null : { failure, ended_at: "2026-11-20T10:00:00Z" },
    ...about,
  }) as AuditEntry;

test("steps that ran are counted once, even if they failed, and checks are not counted", () => {
  const audit = [
    entry({}, null),
    entry({}, null),
    entry({ step_number: 2 }, "exited"),
    entry({ step_number: 3 }),
    entry({ plan_id: "q" }, null),
    entry({ track: "validation", step_number: 4 }, null),
  ];
  expect(executedSteps(audit)).toBe(3);
  expect(executedSteps(audit, "2026-11-20T09:59:00Z")).toBe(3);
  expect(executedSteps(audit, "2026-11-20T10:01:00Z")).toBe(0);
  expect(executedSteps([])).toBe(0);
});
