import type { AuditEntry } from "../api/audit";

/**
 * How many steps of a project ran, in all of its changes or since a given time. A failed step counts, because it may
 * have built a part. Checks and readings build nothing.
 */
export function executedSteps(audit: readonly AuditEntry[], since = ""): number {
  const ran = audit.filter(
    ({ track, run }) => track === "execution" && run !== null && run.ended_at >= since,
  );
  return new Set(ran.map(({ plan_id, step_number }) => `${plan_id} ${step_number}`)).size;
}
