import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import type { PastChange, PastStep } from "../api/changes";
import type { Progress } from "../api/execution";
import { outputOfRun, sharedOutputOfRun } from "./output";

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
const shown = (outputs: (typeof printed)[], with_output = true) => ({
  with_output,
  outputs,
  outputs_left_out: false,
});

test("a link shows the output of exactly this run", () => {
  const text = { is: "text", text: "ready", shortened: true };
  expect(sharedOutputOfRun(entry, shown([printed]))).toEqual(text);
  for (const other of [{ attempt: 3 }, { plan_id: "q" }, { step_number: 2 }])
    expect(sharedOutputOfRun(entry, shown([{ ...printed, ...other }]))).toEqual({ is: "replaced" });
  const tooMuch = { ...shown([{ ...printed, attempt: 3 }]), outputs_left_out: true };
  expect(sharedOutputOfRun(entry, tooMuch)).toEqual({ is: "left_out" });
  const silent = shown([{ ...printed, text: "" }]);
  expect(sharedOutputOfRun(entry, silent)).toEqual({ is: "nothing" });
});

test("neither a link without output nor a decision without a run has any", () => {
  expect(sharedOutputOfRun(entry, shown([], false))).toBeUndefined();
  expect(sharedOutputOfRun({ ...entry, run: null }, shown([printed]))).toBeUndefined();
});

test("a run of an earlier change has the output that the change keeps, and no other run has it", () => {
  const step = { plan_id: "p", step_number: 1, command_sha256: "ab", duration_ms: 5, output: "ready" };
  const shown = (...steps: Partial<PastStep>[]) =>
    outputOfRun(entry, {
      execution: { id: "later", steps: [{ step_number: 1, attempt: 2, output: "not this" }] } as Progress,
      validation: undefined,
      past: [{ steps, checks: [] } as unknown as PastChange],
    });
  expect(shown(step)).toEqual({ is: "text", text: "ready", shortened: false });
  expect(shown({ ...step, output: "" })).toEqual({ is: "nothing" });
  for (const other of [{ plan_id: "q" }, { step_number: 2 }, { duration_ms: 6 }, { command_sha256: "cd" }])
    expect(shown({ ...step, ...other })).toEqual({ is: "replaced" });
});
