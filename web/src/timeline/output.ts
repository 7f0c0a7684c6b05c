import type { AuditEntry } from "../api/audit";
import type { PastChange, PastStep } from "../api/changes";
import type { Progress, Step } from "../api/execution";
import type { SharedTimeline } from "../api/shares";
import { plainOutput } from "../lib/ansi";

/** The steps and checks; a helper's commands and checks for drift are not in these lists. */
export interface Plans {
  /** Of the current change. */
  execution: Progress | undefined;
  validation: Progress | undefined;
  /** The earlier changes, as far as they were read. */
  past: readonly PastChange[];
}

/** A run's output, if its step still has it: a later attempt replaces the output of an earlier one. */
export type Output =
  | { is: "replaced" }
  | { is: "nothing" }
  | { is: "left_out" }
  | { is: "text"; text: string; shortened: boolean };

const isListed = (track: AuditEntry["track"]): track is "execution" | "validation" =>
  track === "execution" || track === "validation";

/** The output of an entry's run; undefined if nothing ran or the plan is not known. */
export function outputOfRun(entry: AuditEntry, plans: Plans): Output | undefined {
  const plan = isListed(entry.track) ? plans[entry.track] : undefined;
  if (!entry.run || !plan) return undefined;
  const { attempt } = entry.run;
  const is = (step: Step) => step.step_number === entry.step_number && step.attempt === attempt;
  if (plan.id !== entry.plan_id) return outputBefore(entry, plans.past);
  const step = plan.steps.find(is);
  if (!step) return { is: "replaced" };
  if (!step.output) return { is: "nothing" };
  return { is: "text", text: plainOutput(step.output), shortened: step.output_truncated };
}

/** The output of a run in an earlier change, which keeps the last run of each of its steps and checks. */
function outputBefore(entry: AuditEntry, past: readonly PastChange[]): Output {
  const { run } = entry;
  const is = (step: PastStep) =>
    step.plan_id === entry.plan_id &&
    step.step_number === entry.step_number &&
    step.command_sha256 === entry.command_sha256 &&
    step.duration_ms === run?.duration_ms;
  const step = past.flatMap(({ steps, checks }) => (entry.track === "execution" ? steps : checks)).find(is);
  if (!step) return { is: "replaced" };
  if (step.left_out) return { is: "left_out" };
  if (!step.output) return { is: "nothing" };
  return { is: "text", text: plainOutput(step.output), shortened: false };
}

/** The same for the reader of a link; undefined as well if the link shows no output. */
export function sharedOutputOfRun(
  entry: AuditEntry,
  {
    with_output,
    outputs,
    outputs_left_out,
  }: Pick<SharedTimeline, "with_output" | "outputs" | "outputs_left_out">,
): Output | undefined {
  if (!with_output || !entry.run || !isListed(entry.track)) return undefined;
  const { attempt } = entry.run;
  const found = outputs.find(
    (output) =>
      output.track === entry.track &&
      output.plan_id === entry.plan_id &&
      output.step_number === entry.step_number &&
      output.attempt === attempt,
  );
  if (!found) return { is: outputs_left_out ? "left_out" : "replaced" };
  if (!found.text) return { is: "nothing" };
  return { is: "text", text: plainOutput(found.text), shortened: found.shortened };
}
