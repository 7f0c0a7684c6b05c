import type { Step, StepStatus } from "../api/execution";
import { questionIn } from "../lib/question";
import type { Tone } from "./pill";

const TONES: Record<StepStatus, Tone> = {
  pending: "idle",
  in_progress: "run",
  waiting_approval: "signal",
  completed: "ok",
  failed: "bad",
};

type Standing = Pick<Step, "status"> & Partial<Pick<Step, "failure" | "error_message">>;

/** A step that its owner rejected has not gone wrong, and neither has one whose agent asks its owner something. */
export const statusTone = ({ status, failure, error_message }: Standing): Tone => {
  if (failure === "rejected") return "idle";
  if (status === "failed" && questionIn(error_message) !== undefined) return "signal";
  return TONES[status] ?? "idle";
};

/** The status as people read it, without its underscore. */
export const statusWord = (status: StepStatus): string => status.replace("_", " ");

export const descriptionOf = (step: Pick<Step, "description" | "step_number">): string =>
  step.description || `Execution Step ${step.step_number}`;
