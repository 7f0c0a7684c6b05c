import type { Step, StepStatus } from "../api/execution";
import type { Tone } from "./pill";

const TONES: Record<StepStatus, Tone> = {
  pending: "idle",
  in_progress: "run",
  waiting_approval: "signal",
  completed: "ok",
  failed: "bad",
};

type Standing = Pick<Step, "status"> & Partial<Pick<Step, "failure">>;

/** A step that its owner rejected has not gone wrong. */
export const statusTone = ({ status, failure }: Standing): Tone =>
  failure === "rejected" ? "idle" : (TONES[status] ?? "idle");

/** The status as people read it, without its underscore. */
export const statusWord = (status: StepStatus): string => status.replace("_", " ");

export const descriptionOf = (step: Pick<Step, "description" | "step_number">): string =>
  step.description || `Execution Step ${step.step_number}`;
