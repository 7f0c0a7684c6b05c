import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import type { Change } from "../api/changes";
import type { Progress } from "../api/execution";
import { endingOf } from "./ending";

const CHANGE = { number: 2, begun_at: "2026-03-02T09:00:00.000Z" } as Change;
const ran = (ended_at: string) =>
  [{ track: "execution", plan_id: "p", step_number: 1, run: { ended_at } }] as AuditEntry[];
const BEFORE = ran("2026-03-01T09:00:00.000Z");
const SINCE = ran("2026-03-02T09:30:00.000Z");
const progress = (more: object = {}) => ({ steps: [], ...more }) as unknown as Progress;

test("a change is abandoned only while none of it has run", () => {
  expect(endingOf(CHANGE, [], progress())).toBe("abandon");
  expect(endingOf(CHANGE, BEFORE, progress())).toBe("abandon");
  expect(endingOf(CHANGE, SINCE, progress())).toBe("none");
  expect(endingOf(CHANGE, [], progress({ steps: [{ running: true }] }))).toBe("none");
  expect(endingOf(CHANGE, BEFORE, progress({ rollback: {} }))).toBe("abandon");
  expect(endingOf(CHANGE, undefined, progress())).toBeUndefined();
});

test("once a step has run, the rollback comes first, and after it the change ends", () => {
  const rollback = (run?: object) => progress({ rollback: { run } });
  expect(endingOf(CHANGE, SINCE, rollback())).toBe("roll_back");
  expect(endingOf(CHANGE, SINCE, rollback({ status: "failed" }))).toBe("roll_back");
  expect(endingOf(CHANGE, SINCE, rollback({ status: "completed" }))).toBe("end");
});
