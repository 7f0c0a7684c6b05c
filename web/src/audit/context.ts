/** What an approval meant, according to the entries before it: the entry itself says only who gave it. */
import type { AuditEntry } from "../api/audit";

type Context = NonNullable<AuditEntry["context"]>;

/** How the setting to run all steps begins in the audit. */
const RUN_ALL = "Run all";

const planOf = ({ track, plan_id }: AuditEntry) => `${track} ${plan_id}`;
const attemptOf = (entry: AuditEntry, attempt: number) => `${planOf(entry)} ${entry.step_number} ${attempt}`;

/** The same entries; each approval that was not about a command that waited for a person says so. */
export function inContext(audit: readonly AuditEntry[]): AuditEntry[] {
  const ended = new Map<string, number>();
  for (const entry of audit) {
    const { verdict, attempt, at, run } = entry;
    if (verdict === "rejected" || verdict === "cancelled")
      ended.set(attemptOf(entry, attempt), Date.parse(at));
    if (run) ended.set(attemptOf(entry, run.attempt), Date.parse(run.ended_at));
  }
  const settings = audit.filter(({ verdict }) => verdict === "autonomy");
  const contextOf = (entry: AuditEntry): Context | undefined => {
    if (entry.verdict !== "approved" || entry.track === "drift") return undefined;
    const at = Date.parse(entry.at);
    const end = ended.get(attemptOf(entry, entry.attempt));
    if (end !== undefined && end < at) return "again";
    const before = settings.filter((one) => planOf(one) === planOf(entry) && Date.parse(one.at) <= at);
    const last = before.reduce<AuditEntry | undefined>(
      (last, one) => (last && Date.parse(last.at) > Date.parse(one.at) ? last : one),
      undefined,
    );
    return last?.description.startsWith(RUN_ALL) ? "run_all" : undefined;
  };
  return audit.map((entry) => {
    const context = contextOf(entry);
    return context ? { ...entry, context } : entry;
  });
}
