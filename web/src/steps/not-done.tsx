import type { Step } from "../api/execution";
import { SecretText } from "../ui/secret-text";
import { Problem } from "../ui/states";
import type { ActProblem, BusyAction } from "./use-step-actions";

const NOT: Record<BusyAction, string> = {
  approve: "This command was not approved.",
  reject: "This command was not rejected.",
  "re-execute": "This step was not executed again.",
  cancel: "This run was not canceled.",
};

/** Says next to the buttons that a decision had no effect, and why. */
export function NotDone({ problem, step }: { problem: ActProblem; step: Step }) {
  const { action, text, reason, changed } = problem;
  const unprepared = action === "cancel" && step.status === "in_progress" && !step.running;
  return (
    <Problem>
      {unprepared ? "The preparation was not canceled." : NOT[action]}{" "}
      {changed ? "Another one is shown now. Read it before you approve it." : text}
      {/* A step that still waits has the text in its field. */}
      {reason !== undefined && step.status !== "waiting_approval" && (
        <>
          {" "}
          You wrote: “<SecretText text={reason} />”
        </>
      )}
    </Problem>
  );
}
