import { expect, test } from "vitest";
import { placeOf, reasonsOf, type Verdict, verdictOf, wordOf } from "./verdict";

const verdict = (change: Partial<Verdict>): Verdict => ({
  sha256: "a",
  outcome: "passed",
  checked: ["policy"],
  findings: [],
  not_checked: [],
  rounds: 0,
  ...change,
});

test("a verdict on another command is not shown", () => {
  expect(verdictOf({ verdict: verdict({}), command_sha256: "a" })).toBeDefined();
  expect(verdictOf({ verdict: verdict({}), command_sha256: "b" })).toBeUndefined();
  expect(verdictOf({ command_sha256: "a" })).toBeUndefined();
});

test("a skipped check has not passed", () => {
  expect(wordOf(verdict({}))).toEqual(["ok", "passed"]);
  expect(wordOf(verdict({ outcome: "not_checked" }))).toEqual(["idle", "partly checked"]);
});

test("an error stands out among findings", () => {
  const warning = { tool: "policy", severity: "warning", message: "x" } as const;
  const error = { tool: "policy", severity: "error", message: "x" } as const;
  expect(wordOf(verdict({ outcome: "findings", findings: [warning] }))).toEqual(["signal", "1 finding"]);
  const both = verdict({ outcome: "findings", findings: [error, warning] });
  expect(wordOf(both)).toEqual(["bad", "2 findings"]);
});

test("a finding names its place", () => {
  const found = { tool: "policy", severity: "error", message: "x" } as const;
  expect(placeOf(found)).toBe("Script");
  expect(placeOf({ ...found, line: 3 })).toBe("Script:3");
  expect(placeOf({ ...found, file: "a.tf", line: 3 })).toBe("a.tf:3");
});

test("tools with the same reason are grouped", () => {
  const not_checked = [
    { tool: "a", reason: "x" },
    { tool: "b", reason: "y" },
    { tool: "c", reason: "x" },
  ];
  expect(reasonsOf(verdict({ not_checked }))).toEqual([
    { tools: "a, c", reason: "x" },
    { tools: "b", reason: "y" },
  ]);
});
