import type { AuditEntry } from "../api/audit";

/** How many steps of a project ran to their end, in all of its changes; checks and looking around built nothing. */
export function executedSteps(audit: readonly AuditEntry[]): number {
  const done = audit.filter(
    ({ track, run }) => track === "execution" && run !== null && run.failure === null,
  );
  return new Set(done.map(({ plan_id, step_number }) => `${plan_id} ${step_number}`)).size;
}
