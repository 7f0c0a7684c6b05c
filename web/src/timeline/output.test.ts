import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { sharedOutputOfRun } from "./output";

const run = { attempt: 2, ended_at: "2026-01-01T00:00:01Z", failure: null, exit_code: 0, duration_ms: 5 };
const entry: AuditEntry = {
  at: "2026-01-01T00:00:00Z",
  track: "execution",
  plan_id: "p",
  step_number: 1,
  description: "Install",
  attempt: 1,
  verdict: "approved",
  by: { user_id: 1, login: "ada" },
  command_sha256: "ab",
  command: "true",
  credentials: [],
  run,
};
const printed = {
  track: "execution" as const,
  plan_id: "p",
  step_number: 1,
  attempt: 2,
  text: "\x1b[32mready\x1b[0m",
  shortened: true,
};
const shown = (outputs: (typeof printed)[], with_output = true) => ({ with_output, outputs });

test("a link shows the output of exactly this run", () => {
  const text = { is: "text", text: "ready", shortened: true };
  expect(sharedOutputOfRun(entry, shown([printed]))).toEqual(text);
  for (const other of [{ attempt: 3 }, { plan_id: "q" }, { step_number: 2 }])
    expect(sharedOutputOfRun(entry, shown([{ ...printed, ...other }]))).toEqual({ is: "replaced" });
  const silent = shown([{ ...printed, text: "" }]);
  expect(sharedOutputOfRun(entry, silent)).toEqual({ is: "nothing" });
});

test("neither a link without output nor a decision without a run has any", () => {
  expect(sharedOutputOfRun(entry, shown([], false))).toBeUndefined();
  expect(sharedOutputOfRun({ ...entry, run: null }, shown([printed]))).toBeUndefined();
});
