import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { type DriftRun, findingsOf, rowsOfDay } from "./drift-runs";
import type { Happening } from "./events";

const entry = (at: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  at,
  track: "drift",
  plan_id: "p",
  step_number: 1,
  description: "The page answers",
  attempt: 1,
  verdict: null,
  by: null,
  command_sha256: null,
  command: null,
  credentials: [],
  run: { attempt: 1, ended_at: at, failure: null, exit_code: 0, duration_ms: 1_000 },
  ...more,
});

const rows = (...entries: AuditEntry[]) =>
  rowsOfDay(entries.map((entry): Happening => ({ at: entry.at, kind: "decision", entry })));

const at = (time: string, step_number: number) => entry(`2026-11-20T${time}Z`, { step_number });

const sizes = (all: ReturnType<typeof rows>) =>
  all.map((row) => (row.kind === "drift_run" ? row.checks.length : 1));

test("the checks of one run are one row, and those of the run before another", () => {
  expect(sizes(rows(at("10:00:04", 2), at("10:00:02", 1), at("09:59:58", 2), at("09:59:56", 1)))).toEqual([
    2, 2,
  ]);
  expect(sizes(rows(at("10:00:04", 2), at("08:00:02", 1)))).toEqual([1, 1]);
});

test("a long check does not divide its run", () => {
  const long = entry("2026-11-20T10:10:00Z", {
    step_number: 2,
    run: { attempt: 1, ended_at: "", failure: null, exit_code: 0, duration_ms: 595_000 },
  });
  expect(sizes(rows(long, at("10:00:02", 1)))).toEqual([2]);
});

test("decisions about drift stay rows of their own", () => {
  const decided = entry("2026-11-20T10:00:03Z", { verdict: "approved", run: null, step_number: 3 });
  expect(sizes(rows(at("10:00:04", 2), decided, at("10:00:02", 1)))).toEqual([2, 1]);
});

test("a run says what it found in the words of its page", () => {
  const failed = (failure: "exit_code" | "deadline") =>
    entry("2026-11-20T10:00:00Z", {
      run: { attempt: 1, ended_at: "", failure, exit_code: 1, duration_ms: 5 },
    });
  const run = (...entries: AuditEntry[]): DriftRun => ({
    kind: "drift_run",
    at: "",
    checks: entries.map((entry) => ({ at: entry.at, kind: "decision", entry })),
  });
  expect(findingsOf(run(at("10:00:00", 1), at("10:00:00", 2)))).toBe("2 of 2 as described");
  expect(findingsOf(run(at("10:00:00", 1), failed("exit_code"), failed("deadline")))).toBe(
    "1 of 3 as described, 1 drifted, 1 could not tell",
  );
});
