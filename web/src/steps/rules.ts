/** The rules of the execution screen, independent of rendering and of calls. */
import type { AuditEntry } from "../api/audit";
import type { Progress, Step, StepStatus } from "../api/execution";
import { MAX_REASON_CHARS } from "../api/limits";
import { entryOf } from "../lib/table";
import { firstCharacters } from "../lib/text";

/** How often a failed step is re-executed automatically. */
const MAX_AUTO_RETRIES = 3;

const highest = (steps: readonly Step[]) => Math.max(0, ...steps.map((step) => step.step_number));
const withStatus = (steps: readonly Step[], ...statuses: StepStatus[]) =>
  steps.filter((step) => statuses.includes(step.status));

/** What a status means for a step; the compiler asks about each status of the contract. */
const MEANINGS: Record<StepStatus, "open" | "under way" | "ended"> = {
  pending: "open",
  in_progress: "under way",
  waiting_approval: "open",
  completed: "ended",
  failed: "ended",
};

/** The steps that are being prepared or run. */
export const underWay = (steps: readonly Step[]) =>
  steps.filter((step) => entryOf(MEANINGS, step.status) === "under way");

/**
 * The step that has to end before this action on another one: a command starts only while no other command runs.
 * Executing a step again also waits for a preparation, which can continue directly as a run.
 */
export function blockedBy(steps: readonly Step[], step: Step, action: StepAction): Step | undefined {
  if (action === "reject") return undefined;
  const others = underWay(steps).filter((other) => other.step_number !== step.step_number);
  return others.find((other) => other.running || action === "re-execute");
}

/** The highest-numbered step that has ended. */
export const lastExecuted = (steps: readonly Step[]) =>
  steps.findLast((step) => entryOf(MEANINGS, step.status) === "ended");

export const completedCount = (steps: readonly Step[]) => withStatus(steps, "completed").length;

export function percentCompleted(completed: number, total: number): number {
  return total > 0 ? Math.round((completed / total) * 100) : 0;
}

export function allCompleted(steps: readonly Step[], totalSteps: number): boolean {
  return totalSteps > 0 && steps.length > 0 && steps.every((step) => step.status === "completed");
}

/** Whether what the steps built is gone, or soon will be: after a rollback that failed, the change can go on. */
export const isRolledBack = (rollback: Progress["rollback"]): boolean =>
  rollback?.run ? rollback.run.status !== "failed" : false;

/** The last step that is approved automatically when all of them are. */
export const ALL_STEPS = Number.POSITIVE_INFINITY;

/**
 * The waiting step that may be approved automatically: the one right after the highest completed step, up to a limit.
 */
export function autoApproval(steps: readonly Step[], upTo: number): Step | undefined {
  const next = highest(withStatus(steps, "completed")) + 1;
  if (next > upTo) return undefined;
  return withStatus(steps, "waiting_approval").find(
    (step) => step.step_number === next && !blockedBy(steps, step, "approve"),
  );
}

/** A step that its owner rejected or ended. */
export const isByOwner = ({ failure }: Step) => failure === "rejected" || failure === "cancelled";

/**
 * The failed step that may be re-executed automatically: the first one, as long as it has tries left. A step that a
 * person has rejected or ended waits for a person.
 */
export function autoRetry(steps: readonly Step[], retries: (step: Step) => number): Step | undefined {
  const failed = withStatus(steps, "failed")[0];
  if (!failed || isByOwner(failed) || blockedBy(steps, failed, "re-execute")) return undefined;
  return retries(failed) < MAX_AUTO_RETRIES ? failed : undefined;
}

/**
 * The failed steps that are triggered again together: all of them, as long as each has tries left. A step that a person
 * has rejected or ended does not start again automatically.
 */
export function autoTrigger(steps: readonly Step[], retries: (step: Step) => number): Step[] {
  const failed = withStatus(steps, "failed");
  const again = failed.every((step) => !isByOwner(step) && retries(step) < MAX_AUTO_RETRIES);
  return again ? failed : [];
}

/** Whether the agent prepared a step again with the script of the attempt before; an edited script is its owner's. */
export const isSameAgain = ({ status, command, earlier, edited }: Step): boolean =>
  status === "waiting_approval" && !edited && command !== null && command === earlier?.command;

/**
 * The edit that ended with the attempt before: the agent has prepared the step again, and its script is another one.
 *
 * @param audit the project's decisions, newest first
 */
export function droppedEdit(
  step: Step,
  plan: { track: string; planId: string },
  audit: readonly AuditEntry[],
): AuditEntry | undefined {
  const { command, earlier, edited } = step;
  if (edited || !earlier || earlier.command === command) return undefined;
  return audit.find(
    (entry) =>
      entry.verdict === "edited" &&
      entry.track === plan.track &&
      entry.plan_id === plan.planId &&
      entry.step_number === step.step_number &&
      entry.command === earlier.command,
  );
}

/** Whether any step has begun. */
export const hasStarted = (steps: readonly Step[]) => steps.some((step) => step.status !== "pending");

/** Changes whenever a run has ended: its results may then be read again. */
export const endedRuns = (steps: readonly Step[]): string =>
  withStatus(steps, "completed", "failed")
    .map((step) => `${step.step_number}.${step.attempt}`)
    .join(" ");

/** As much of a message as fits into the reason for a rejection. */
export const asReason = (message: string): string => firstCharacters(message, MAX_REASON_CHARS);

/** Names a state of a step of a plan: each decision on it, each edit and each end of a run leads to another one. */
export const stateKey = ({ step_number, status, attempt, command_sha256 }: Step): string =>
  `${step_number}:${attempt}:${status}:${command_sha256 ?? ""}`;

/** The actions that a person can take on a step. */
export type StepAction = "approve" | "reject" | "re-execute";

export function actionsOf(status: StepStatus): StepAction[] {
  switch (status) {
    case "waiting_approval":
      return ["approve", "reject"];
    case "completed":
    case "failed":
      return ["re-execute"];
    default:
      return [];
  }
}
