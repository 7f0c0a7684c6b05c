/**
 * What happens when the user continues to validation: the validator writes a plan, its checks are started, and the
 * execution is completed. Independent of React and of the network, so that every path through it can be tested.
 */
export interface ValidationSteps {
  /** Requests the plan and waits for the end of the validator's reply. */
  plan: () => Promise<void>;
  trigger: () => Promise<{ status: string }>;
  complete: () => Promise<void>;
  say: (status: string) => void;
}

const PLAN_FAILED = "Failed to create validation plan. Please try again or contact support.";
const TRIGGER_FAILED = "Failed to start validation. Please try again or contact support.";
const NOT_STARTED = "Failed to start validation process. Please try again.";
const MOVE_FAILED = "Failed to move to validation stage. Please try again or contact support.";

/** Runs all of it, or throws an error whose message is for the user. */
export async function startValidation({ plan, trigger, complete, say }: ValidationSteps): Promise<void> {
  say("Creating the validation plan...");
  await plan().catch(because(PLAN_FAILED));
  say("Starting the checks...");
  const { status } = await trigger().catch(because(TRIGGER_FAILED));
  if (status !== "success") throw new Error(NOT_STARTED);
  say("Moving to the validation stage...");
  await complete().catch(because(MOVE_FAILED));
}

const because =
  (message: string) =>
  (cause: unknown): never => {
    throw new Error(message, { cause });
  };
