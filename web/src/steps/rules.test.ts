import { expect, test } from "vitest";
import type { AuditEntry } from "../api/audit";
import { type Step, type StepStatus, sortedSteps } from "../api/execution";
import { countRetry, retriesOf } from "./retries";
import {
  ALL_STEPS,
  actionsOf,
  allCompleted,
  asReason,
  autoApproval,
  autoRetry,
  autoTrigger,
  blockedBy,
  droppedEdit,
  hasStarted,
  isRolledBack,
  isSameAgain,
  lastExecuted,
  percentCompleted,
  stateKey,
  underWay,
} from "./rules";

const step = (step_number: number, status: StepStatus): Step => ({
  step_number,
  status,
  description: "",
  prompt: "",
  command: null,
  command_sha256: null,
  output: "",
  output_bytes: 0,
  output_truncated: false,
  error_message: null,
  failure: null,
  exit_code: null,
  duration_ms: null,
  attempt: 1,
  since: "2026-11-20T05:10:00Z",
  running: false,
  earlier: null,
  reason: null,
});
const steps = (...statuses: StepStatus[]) => statuses.map((status, index) => step(index + 1, status));
const never = () => 0;

test("steps are sorted by number", () => {
  const numbers = sortedSteps([step(3, "pending"), step(1, "completed"), step(2, "failed")]);
  expect(numbers.map((step) => step.step_number)).toEqual([1, 2, 3]);
});

test("the waiting step is approved automatically only right after the highest completed one", () => {
  expect(autoApproval(steps("waiting_approval", "pending"), ALL_STEPS)?.step_number).toBe(1);
  expect(autoApproval(steps("completed", "waiting_approval"), ALL_STEPS)?.step_number).toBe(2);
  expect(autoApproval(steps("completed", "failed", "waiting_approval"), ALL_STEPS)).toBeUndefined();
  // Re-executing an earlier step does not count as the next one.
  expect(autoApproval(steps("waiting_approval", "completed", "pending"), ALL_STEPS)).toBeUndefined();
  expect(autoApproval(steps("completed", "in_progress"), ALL_STEPS)).toBeUndefined();
});

test("steps are approved automatically up to the one that was chosen", () => {
  expect(autoApproval(steps("completed", "waiting_approval"), 2)?.step_number).toBe(2);
  expect(autoApproval(steps("completed", "waiting_approval"), 1)).toBeUndefined();
  expect(autoApproval(steps("waiting_approval"), 0)).toBeUndefined();
});

test("the first failed step is re-executed automatically, at most three times", () => {
  expect(autoRetry(steps("completed", "failed", "failed"), never)?.step_number).toBe(2);
  expect(autoRetry(steps("failed"), () => 2)?.step_number).toBe(1);
  expect(autoRetry(steps("failed"), () => 3)).toBeUndefined();
  // The second failed step waits for the first one.
  expect(autoRetry(steps("failed", "failed"), (step) => (step.step_number === 1 ? 3 : 0))).toBeUndefined();
  expect(autoRetry(steps("completed"), never)).toBeUndefined();
});

test("a step that its owner rejected or ended is not re-executed automatically", () => {
  for (const failure of ["rejected", "cancelled"] as const) {
    const ended = { ...step(1, "failed"), failure };
    expect(autoRetry([ended, step(2, "pending")], never)).toBeUndefined();
    expect(autoRetry([ended, step(2, "failed")], never)).toBeUndefined();
  }
  expect(autoRetry([{ ...step(1, "failed"), failure: "exit_code" }], never)?.step_number).toBe(1);
});

test("a command starts only while no other command runs", () => {
  const running = { ...step(1, "in_progress"), running: true };
  const preparing = step(1, "in_progress");
  const [waiting, done] = [step(2, "waiting_approval"), step(3, "completed")];
  expect(blockedBy([running, waiting, done], waiting, "approve")).toBe(running);
  expect(blockedBy([running, waiting, done], done, "re-execute")).toBe(running);
  expect(blockedBy([running, waiting, done], waiting, "reject")).toBeUndefined();
  // A preparation can continue as a run if its command was approved before.
  expect(blockedBy([preparing, done], done, "re-execute")).toBe(preparing);
  expect(blockedBy([preparing, waiting], waiting, "approve")).toBeUndefined();
  expect(blockedBy([running], running, "approve")).toBeUndefined();
});

test("nothing starts automatically while a command runs", () => {
  const running = { ...step(1, "in_progress"), running: true };
  expect(
    autoApproval([running, step(2, "completed"), step(3, "waiting_approval")], ALL_STEPS),
  ).toBeUndefined();
  expect(autoRetry([running, step(2, "failed")], never)).toBeUndefined();
});

test("failed checks are triggered again together, as long as each has tries left", () => {
  const numbers = (steps: Step[], tries: (step: Step) => number) =>
    autoTrigger(steps, tries).map((step) => step.step_number);
  expect(numbers(steps("completed", "failed", "pending"), never)).toEqual([2]);
  expect(numbers(steps("failed", "completed", "failed"), () => 2)).toEqual([1, 3]);
  expect(numbers(steps("failed", "completed"), () => 3)).toEqual([]);
  // A trigger includes every failed check, so one without tries left holds back the others.
  expect(numbers(steps("failed", "failed"), (step) => (step.step_number === 1 ? 3 : 0))).toEqual([]);
  expect(numbers(steps("completed", "in_progress"), never)).toEqual([]);
});

test("a check that a person rejected is not triggered again automatically", () => {
  for (const failure of ["rejected", "cancelled"] as const) {
    expect(autoTrigger([{ ...step(1, "failed"), failure }, step(2, "pending")], never)).toEqual([]);
  }
});

test("a track has started once any of its steps is not pending", () => {
  expect(hasStarted(steps("pending", "pending"))).toBe(false);
  expect(hasStarted(steps("in_progress", "pending"))).toBe(true);
  expect(hasStarted([])).toBe(false);
});

test("retries are counted for each step of each plan", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  countRetry(storage, 7, "plan", 1);
  countRetry(storage, 7, "plan", 1);
  expect(retriesOf(storage, 7, "plan", 1)).toBe(2);
  expect(retriesOf(storage, 7, "plan", 2)).toBe(0);
  expect(retriesOf(storage, 7, "other plan", 1)).toBe(0);
  expect(retriesOf(storage, 8, "plan", 1)).toBe(0);
});

test("a track without steps is not completed", () => {
  expect(allCompleted(steps("completed", "completed"), 2)).toBe(true);
  expect(allCompleted(steps("completed", "failed"), 2)).toBe(false);
  expect(allCompleted([], 0)).toBe(false);
});

test("every step in progress is under way, the last one is the highest that ended", () => {
  const list = steps("completed", "failed", "in_progress", "pending", "in_progress");
  expect(underWay(list).map((step) => step.step_number)).toEqual([3, 5]);
  expect(lastExecuted(list)?.step_number).toBe(2);
  expect(underWay(steps("waiting_approval"))).toEqual([]);
  expect(percentCompleted(3, 7)).toBe(43);
  expect(percentCompleted(0, 0)).toBe(0);
});

test("each status allows its own actions", () => {
  expect(actionsOf("waiting_approval")).toEqual(["approve", "reject"]);
  expect(actionsOf("completed")).toEqual(["re-execute"]);
  expect(actionsOf("failed")).toEqual(["re-execute"]);
  expect(actionsOf("pending")).toEqual([]);
  expect(actionsOf("in_progress")).toEqual([]);
});

test("missing fields of a step become empty", () => {
  const [bare] = sortedSteps([{ status: "completed" } as Step]);
  expect(bare).toMatchObject({ step_number: 1, status: "completed", output: "", prompt: "", attempt: 0 });
});

test("a step that waits with the script of the attempt before is the same again, unless its owner edited it", () => {
  const earlier = { command: "true\n", error_message: "Rejected by user", reason: "listen on port 9090" };
  const again = { ...step(1, "waiting_approval"), command: "true\n", earlier };
  expect(isSameAgain(again)).toBe(true);
  expect(isSameAgain({ ...again, command: "false\n" })).toBe(false);
  expect(isSameAgain({ ...again, status: "completed" })).toBe(false);
  expect(isSameAgain(step(1, "waiting_approval"))).toBe(false);
  const by = { login: "ada", user_id: 1 };
  const edited = { at: "2026-01-01T00:00:00Z", by, sha256_before: "ab", written: "false\n" };
  expect(isSameAgain({ ...again, edited })).toBe(false);
});

test("a message is cut to the longest reason that the server accepts, between characters", () => {
  expect(asReason("a".repeat(1_001))).toBe("a".repeat(1_000));
  expect(asReason("🚀".repeat(1_000))).toBe("🚀".repeat(1_000));
  expect(asReason(`a${"🚀".repeat(1_000)}`)).toBe(`a${"🚀".repeat(999)}`);
});

test("what the steps built is gone once a rollback runs, unless it fails", () => {
  const rollback = { step_number: 1, rollback: { script: "", sha256: "" } };
  const ran = (status: StepStatus) => ({ ...rollback, run: step(1, status) });
  expect(isRolledBack(undefined)).toBe(false);
  expect(isRolledBack(rollback)).toBe(false);
  expect(isRolledBack(ran("in_progress"))).toBe(true);
  expect(isRolledBack(ran("completed"))).toBe(true);
  expect(isRolledBack(ran("failed"))).toBe(false);
});

test("an edit that ended with the attempt before is found, unless its script is back", () => {
  const plan = { track: "execution", planId: "p" };
  const edit = { verdict: "edited", track: "execution", plan_id: "p", step_number: 1, command: "mine" };
  const audit = [{ ...edit, verdict: "rejected" }, edit] as AuditEntry[];
  const again = { ...step(1, "waiting_approval"), command: "theirs", earlier: { command: "mine" } };
  expect(droppedEdit(again, plan, audit)).toEqual(edit);
  expect(droppedEdit({ ...again, command: "mine" }, plan, audit)).toBeUndefined();
  expect(droppedEdit({ ...again, earlier: { command: "other" } }, plan, audit)).toBeUndefined();
  expect(droppedEdit({ ...again, step_number: 2 }, plan, audit)).toBeUndefined();
});

test("each state of a step has a key of its own, and reading it again changes nothing", () => {
  const waiting = { ...step(1, "waiting_approval"), command_sha256: "ab" };
  const others = [
    { ...waiting, step_number: 2 },
    { ...waiting, attempt: 2 },
    { ...waiting, status: "in_progress" as const },
    { ...waiting, command_sha256: "cd" },
  ];
  expect(new Set([waiting, ...others].map(stateKey)).size).toBe(5);
  expect(stateKey({ ...waiting, output: "more" })).toBe(stateKey(waiting));
});
