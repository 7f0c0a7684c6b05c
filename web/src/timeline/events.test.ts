import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import type { Change } from "../api/changes";
import { changeAt, timeline } from "./events";
import { inOrder, standingAt } from "./moments";

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

const change = (number: number, begun_at: string, ended_at: string | null): Change => ({
  number,
  kind: "change",
  wish: number === 1 ? "" : "Use port 9090",
  status: ended_at ? "completed" : "in_progress",
  is_current: ended_at === null,
  on_top_of: number === 1 ? null : number - 1,
  begun_by: null,
  begun_at,
  ended_at,
  cost: "0.100000",
});
const changes = [
  change(2, "2026-11-20T12:00:00Z", null),
  change(1, "2026-11-20T08:00:00Z", "2026-11-20T11:30:00Z"),
];

test("changes are part of the timeline, and every moment belongs to one of them", () => {
  const run = { attempt: 2, ended_at: "", failure: null, exit_code: 0, duration_ms: 5 };
  const days = timeline({
    audit: [
      { ...decided("2026-11-20T10:00:00Z"), run },
      { ...decided("2026-11-20T13:00:00Z"), run: { ...run, failure: "exit_code" } },
    ],
    versions: [{ document: "requirements", versions: [version(1, "2026-11-20T09:00:00Z")] }],
    costs: [],
    changes,
  });
  const moments = inOrder(days);
  const kinds = moments.map((one) => (one.kind === "change" ? `${one.change.number} ${one.is}` : one.kind));
  expect(kinds).toEqual(["version", "decision", "1 ended", "2 begun", "decision"]);
  expect(standingAt(moments.slice(0, 2))).toEqual([
    ["Documents", "requirements v1"],
    ["Completed", "1 step, 0 checks"],
  ]);
  expect(standingAt(moments)).toEqual([
    ["Under way", "Change 2 · Use port 9090"],
    ["Documents", "requirements v1"],
    ["Completed", "0 steps, 0 checks"],
  ]);
  expect(changeAt(changes, "2026-11-20T11:59:00Z")?.number).toBe(1);
  expect(changeAt(changes, "2026-11-20T12:00:00Z")?.number).toBe(2);
  expect(changeAt(changes, "2026-11-20T07:00:00Z")).toBeUndefined();
});
