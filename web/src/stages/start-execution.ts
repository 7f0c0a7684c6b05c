/**
 * What happens when the implementation plan is confirmed: the sandbox is prepared, then the execution is requested.
 * Independent of React and of the network, so that every path through it can be tested.
 */
import type { Schemas } from "../api/client";
import { isRefusal } from "../api/errors";

/** How often initialization is tried while the container is still being created. */
export const MAX_ATTEMPTS = 30;
/** How long to wait between two attempts, in milliseconds. */
export const ATTEMPT_GAP_MS = 10_000;

const CREDENTIALS_MISSING =
  "You need to provide cloud provider credentials during the requirements gathering phase before proceeding.";

export interface StartSteps {
  readStatus: () => Promise<Pick<Schemas["SandboxBody"], "status">>;
  initialize: () => Promise<Schemas["ActionBody"]>;
  trigger: () => Promise<void>;
  complete: () => Promise<void>;
  /** The container's initial state; reported once, and valid for everything that follows. */
  found: (container: string) => void;
  /** Called with the current activity. */
  say: (status: string) => void;
  wait: (milliseconds: number) => Promise<void>;
}

/** Runs all of it, or throws an error whose message is for the user. */
export async function startExecution(steps: StartSteps): Promise<void> {
  const { status } = await steps.readStatus();
  if (status === "FAILED") throw new Error("Container creation failed. Please try again or contact support.");
  if (status === "READY") steps.found("Container is ready, initializing sandbox...");
  if (status === "CREATING") steps.found("Container is being created, please wait...");
  await initialize(steps);
  await steps.trigger().catch((error: unknown) => {
    // The user has not read the plan that would start now.
    if (isRefusal(error, "stale_plan")) throw error;
    console.error("The execution could not be triggered", error);
  });
  await steps.complete();
}

async function initialize({ initialize, say, wait }: StartSteps): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    say(`Initializing sandbox environment (Attempt ${attempt})...`);
    const outcome = await initialize().then(
      ({ status, detail }) => ({ done: status === "success", waiting: status === "pending", detail }),
      (error: unknown) => ({
        done: false,
        waiting: false,
        detail: error instanceof Error ? error.message : "",
      }),
    );
    if (outcome.done) return;
    if (!outcome.waiting && !isStillCreating(outcome.detail)) throw new Error(explained(outcome.detail));
    if (attempt < MAX_ATTEMPTS) {
      say("Waiting for container to be ready...");
      await wait(ATTEMPT_GAP_MS);
    }
  }
  throw new Error("Timeout waiting for sandbox initialization");
}

const isStillCreating = (detail: string) =>
  detail.includes("still being created") || detail.includes("CREATING");

function explained(detail: string): string {
  if (detail.includes("API key")) return CREDENTIALS_MISSING;
  return detail || "Failed to initialize sandbox environment";
}

/** Whether an error concerns credentials, which belong to the requirements. */
export function concernsCredentials(message: string): boolean {
  return /credentials|API key/i.test(message);
}
