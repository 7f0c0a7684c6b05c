import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { inContext } from "./context";
import { decisionOf, outcomeOf } from "./words";

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
const entry = (minute: number, rest: Partial<AuditEntry>): AuditEntry => ({
  at: at(minute),
  track: "execution",
  plan_id: "p",
  step_number: 2,
  description: "Start",
  attempt: 1,
  verdict: "approved",
  by: { user_id: 1, login: "ada" },
  command_sha256: "ab",
  command: "true",
  credentials: [],
  run: null,
  ...rest,
});
const ran = (attempt: number, minute: number, failure: "exit_code" | null) => ({
  attempt,
  ended_at: at(minute),
  failure,
  exit_code: failure ? 1 : 0,
  duration_ms: 5,
});
const read = (entries: AuditEntry[]) =>
  inContext(entries).map((one) => [decisionOf(one), outcomeOf(one)?.word]);

test("starting a rejected or failed attempt again is not an approval, and needs no run", () => {
  expect(
    read([
      entry(5, { attempt: 4, run: ran(5, 6, null) }),
      entry(4, { attempt: 3 }),
      entry(2, { attempt: 2, run: ran(3, 3, "exit_code") }),
      entry(1, { attempt: 1 }),
      entry(0, { attempt: 1, verdict: "rejected" }),
    ]),
  ).toEqual([
    ["Approved by @ada", "Completed"],
    ["Started again by @ada", undefined],
    ["Approved by @ada", "Failed, exit 1"],
    ["Started again by @ada", undefined],
    ["Rejected by @ada", undefined],
  ]);
});

test("a run that has the number of its own approval is not an earlier one", () => {
  expect(read([entry(1, { track: "helper", run: ran(1, 2, null) })])).toEqual([
    ["Approved by @ada", "Completed"],
  ]);
});

test("an approval while all steps ran without asking says so, until that is off", () => {
  const set = (minute: number, description: string, plan_id = "p") =>
    entry(minute, { verdict: "autonomy", step_number: 0, attempt: 0, description, plan_id });
  expect(
    read([
      entry(5, { step_number: 4 }),
      set(4, "Ask for everything"),
      entry(3, { step_number: 3 }),
      set(2, "Run all steps without asking"),
      entry(1, {}),
      set(0, "Run all steps without asking", "another plan"),
    ]).map(([decision]) => decision),
  ).toEqual([
    "Approved by @ada",
    "Set by @ada",
    "Approved by @ada while all steps ran without asking",
    "Set by @ada",
    "Approved by @ada",
    "Set by @ada",
  ]);
});
