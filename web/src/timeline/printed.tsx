import { useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../api/audit";
import { progressQuery, type Step } from "../api/execution";
import { checksQuery } from "../api/validation";
import { plainOutput } from "../lib/ansi";
import { Code } from "../ui/code";

/** What a run printed, as far as its step still has it: a later attempt prints over an earlier one. */
export function Printed({ projectId, entry }: { projectId: number; entry: AuditEntry }) {
  const steps = useQuery({ ...progressQuery(projectId), enabled: entry.track === "execution" });
  const checks = useQuery({ ...checksQuery(projectId), enabled: entry.track === "validation" });
  const plan = entry.track === "execution" ? steps.data : checks.data;
  if (!entry.run || !plan) return null;
  const { attempt } = entry.run;
  const is = (step: Step) => step.step_number === entry.step_number && step.attempt === attempt;
  const step = plan.id === entry.plan_id ? plan.steps.find(is) : undefined;
  if (!step) return <p className="text-ink-2 text-note">Only the last run's output is kept.</p>;
  if (!step.output) return <p className="text-ink-2 text-note">It printed nothing.</p>;
  return <Code label={`What step ${entry.step_number} printed`} text={plainOutput(step.output)} short />;
}
