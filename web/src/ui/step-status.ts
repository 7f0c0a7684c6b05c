import type { Step, StepStatus } from "../api/execution";
import type { Tone } from "./pill";

const TONES: Record<StepStatus, Tone> = {
  pending: "idle",
  in_progress: "run",
  waiting_approval: "signal",
  completed: "ok",
  failed: "bad",
};

export const statusTone = (step: Pick<Step, "status">): Tone => TONES[step.status] ?? "idle";

/** The status as people read it, without its underscore. */
export const statusWord = (status: StepStatus): string => status.replace("_", " ");

export const descriptionOf = (step: Pick<Step, "description" | "step_number">): string =>
  step.description || `Execution Step ${step.step_number}`;
