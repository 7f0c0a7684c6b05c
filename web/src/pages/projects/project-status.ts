/** The state of a project in the list, in a few words. */

import type { ListedProject } from "../../api/projects";
import { counted } from "../../lib/text";
import type { Tone } from "../../ui/pill";

const STAGE_NAMES = {
  requirements: "Requirements",
  architecture: "Cloud architecture",
  implementation: "Implementation",
  execution: "Execution",
  validation: "Validation",
} as const satisfies Record<ListedProject["stage"], string>;

/** The number of stages of a project. */
export const STAGES = Object.keys(STAGE_NAMES).length;

export interface ProjectStatus {
  tone: Tone;
  text: string;
  /** Whether it waits for its owner. */
  waits: boolean;
}

/** The state of a project, and of which of its changes after the first build. */
export function statusOf(project: ListedProject): ProjectStatus {
  const status = inTheBuild(project);
  const changes = project.change > 1 && !project.archived && project.stages_completed < STAGES;
  return changes ? { ...status, text: `Change ${project.change} · ${status.text}` } : status;
}

/** The state within one change. A stage with a chat does not wait for its owner until they open it. */
function inTheBuild(project: ListedProject): ProjectStatus {
  const { stage, stages_completed, attention, archived, drifted_checks, torn_down } = project;
  if (archived) return { tone: "idle", text: "archived", waits: false };
  if (torn_down) return { tone: "idle", text: "torn down", waits: false };
  if (stages_completed >= STAGES && drifted_checks > 0) {
    const checks = counted(drifted_checks, "check");
    return { tone: "bad", text: `drift: ${checks}`, waits: true };
  }
  if (stages_completed >= STAGES) return { tone: "ok", text: "completed", waits: false };
  const talked = { tone: "idle", text: STAGE_NAMES[stage], waits: false } as const;
  if (!attention) return talked;
  const what = `${stage === "validation" ? "check" : "step"} ${attention.step_number}`;
  switch (attention.status) {
    case "waiting_approval":
      return { tone: "signal", text: `${what} waits for you`, waits: true };
    case "failed":
      return { tone: "bad", text: `${what} failed`, waits: true };
    case "in_progress":
      return { tone: "run", text: `${what} in progress`, waits: false };
    default:
      return talked;
  }
}
