import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { timeline } from "./events";

const decided = (at: string): AuditEntry => ({
  at,
  track: "execution",
  plan_id: "p",
  step_number: 1,
  description: "Write the service",
  attempt: 1,
  verdict: "approved",
  by: { login: "ada", user_id: 1 },
  command_sha256: null,
  command: null,
  credentials: [],
  run: null,
});
const version = (number: number, written_at: string | null) => ({
  number,
  written_at,
  restored_from: null,
  present: false,
});

test("events are listed under their day, newest first, with the day's cost", () => {
  const days = timeline({
    audit: [decided("2026-11-20T10:00:00Z")],
    versions: [
      {
        document: "requirements",
        versions: [
          version(2, "2026-11-20T11:00:00+00:00"),
          version(1, "2026-11-19T09:00:00Z"),
          version(0, null),
        ],
      },
    ],
    costs: [{ day: "2026-11-20", total_cost: "0.031200" }],
  });
  expect(days.map(({ day, cost }) => [day, cost])).toEqual([
    ["2026-11-20", "0.031200"],
    ["2026-11-19", undefined],
  ]);
  expect(days[0]?.happenings.map(({ kind }) => kind)).toEqual(["version", "decision"]);
  expect(days[1]?.happenings).toHaveLength(1);
});
