import { expect, test } from "vitest";
import type { DriftCheck } from "../api/drift";
import { aboutWords, checkedAt, driftOf, foundBy, isPaused, provesWords, summaryOf } from "./words";

const summary = (...statuses: DriftCheck["status"][]) => summaryOf(statuses.map((status) => ({ status })));

test("the summary names drift, its absence and checks in progress", () => {
  expect(summary("as_described")).toBe("1 of 1 check passed");
  expect(summary("as_described", "as_described")).toBe("2 of 2 checks passed");
  expect(summary("drifted", "as_described")).toBe("1 of 2 checks found drift");
  expect(summary("drifted", "unknown")).toBe("1 of 2 checks found drift, 1 check could not tell");
  expect(summary("unknown", "as_described")).toBe("1 check could not tell");
  expect(summary("outdated", "as_described")).toBe("1 check passed before a step ran again");
  expect(summary("drifted", "outdated")).toBe(
    "1 of 2 checks found drift, 1 check passed before a step ran again",
  );
  expect(summary("checking", "waiting", "drifted")).toBe("Checking: 2 to go");
});

test("only drift that was found is named, also while checks run again", () => {
  const drift = (...statuses: DriftCheck["status"][]) =>
    driftOf({ checks: statuses.map((status) => ({ status })) });
  expect(drift("drifted", "checking", "unknown")).toBe("1 of 3 checks found drift");
  expect(drift("as_described", "unknown", "outdated", "checking")).toBeUndefined();
  expect(drift()).toBeUndefined();
});

test("a check's finding is its last line, or why there is none", () => {
  expect(foundBy({ output: "looked\nmissing: README.md\n\n", error_message: "exit 1" })).toBe(
    "missing: README.md",
  );
  expect(foundBy({ output: "", error_message: "No sandbox." })).toBe("No sandbox.");
});

test("a check names the requirements that it proves", () => {
  const requirements = [
    { id: "R1", wish: "A basic VPS" },
    { id: "R3", wish: "Open ports: 443" },
  ];
  expect(provesWords({ requirements })).toBe("R1 (A basic VPS), R3 (Open ports: 443)");
  expect(provesWords({ requirements: [] })).toBe("");
});

test("a check that found drift does not prove its requirements", () => {
  const requirements = [{ id: "R1", wish: "A basic VPS" }];
  expect(aboutWords({ requirements, status: "as_described" })).toBe("proves R1 (A basic VPS)");
  expect(aboutWords({ requirements, status: "drifted" })).toBe("concerns R1 (A basic VPS)");
});

test("a schedule without an allowed check is paused", () => {
  const [allowed, withdrawn] = [{ approved_by: "ada" }, { approved_by: null }];
  expect(isPaused({ every: "daily", checks: [withdrawn, withdrawn] })).toBe(true);
  expect(isPaused({ every: "daily", checks: [withdrawn, allowed] })).toBe(false);
  expect(isPaused({ every: "off", checks: [withdrawn] })).toBe(false);
});

test("the last check is the latest of all", () => {
  const at = (checked_at: string) => ({ checked_at });
  expect(checkedAt([at("2026-11-20T10:00:00Z"), at("2026-11-21T09:00:00Z")])).toBe("2026-11-21T09:00:00Z");
  expect(checkedAt([])).toBeUndefined();
});
