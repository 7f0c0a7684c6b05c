import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { decisionOf, outcomeOf, placeOf, titleOf } from "./words";

const entry: AuditEntry = {
  at: "2026-01-01T00:00:00Z",
  track: "execution",
  plan_id: "p",
  step_number: 2,
  description: "Install",
  attempt: 1,
  verdict: "approved",
  by: { user_id: 1, login: "ada" },
  command_sha256: "ab",
  command: "true",
  credentials: [],
  run: { attempt: 2, ended_at: "2026-01-01T00:00:01Z", failure: null, exit_code: 0, duration_ms: 5 },
};

test("an entry names the decision and the person", () => {
  expect(placeOf(entry)).toBe("Step 2");
  expect(decisionOf(entry)).toBe("Approved by @ada");
  const link = { ...entry, verdict: "withdrawn", step_number: 0 } as const;
  expect([placeOf(link), decisionOf(link)]).toEqual(["Read-only link", "Withdrawn by @ada"]);
  expect(decisionOf({ ...entry, verdict: null, by: null })).toContain("only reads");
});

test("a link's entry names what its readers see, and not its id", () => {
  const description = "Link 5f27abcd, without output, until 2026-12-07";
  const link = { ...entry, verdict: "shared", description } as const;
  expect(`${placeOf(link)}: ${titleOf(link)}`).toBe("Read-only link: without output, until Dec 7, 2026");
  expect(titleOf({ ...entry, description })).toBe(description);
  expect(titleOf({ ...entry, description: "" })).toBe("No title");
});

test("a check for drift ends with the words of its page", () => {
  const ended = (failure: "exit_code" | "deadline" | null, exit_code: number | null) =>
    outcomeOf({ ...entry, track: "drift", run: { ...entry.run, failure, exit_code } as AuditEntry["run"] });
  expect(ended(null, 0)).toEqual({ tone: "ok", word: "As described" });
  expect(ended("exit_code", 1)).toEqual({ tone: "bad", word: "Drifted, exit 1" });
  expect(ended("deadline", null)).toEqual({ tone: "signal", word: "Could not tell: past its deadline" });
});

test("a result is a word and never only a color", () => {
  expect(outcomeOf(entry)).toEqual({ tone: "ok", word: "Completed" });
  const run = { ...entry.run, failure: "exit_code", exit_code: 3 } as AuditEntry["run"];
  expect(outcomeOf({ ...entry, run })).toEqual({ tone: "bad", word: "Failed, exit 3" });
  expect(outcomeOf({ ...entry, run: null })).toEqual({ tone: "idle", word: "No run ended" });
  expect(outcomeOf({ ...entry, verdict: "rejected", run: null })).toBeUndefined();
});
