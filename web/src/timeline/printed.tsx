import { useQuery } from "@tanstack/react-query";
import type { AuditEntry } from "../api/audit";
import { changesQuery, pastChangeQuery } from "../api/changes";
import { progressQuery } from "../api/execution";
import { checksQuery } from "../api/validation";
import { Code } from "../ui/code";
import { changeAt } from "./events";
import { type Output, outputOfRun } from "./output";

/** A run's output, as its owner sees it. */
export function Printed({ projectId, entry }: { projectId: number; entry: AuditEntry }) {
  const steps = useQuery({ ...progressQuery(projectId), enabled: entry.track === "execution" });
  const checks = useQuery({ ...checksQuery(projectId), enabled: entry.track === "validation" });
  const changes = useQuery(changesQuery(projectId));
  const change = changeAt(changes.data ?? [], entry.at);
  const isPast = change !== undefined && !change.is_current && entry.run !== null;
  const past = useQuery({ ...pastChangeQuery(projectId, change?.number ?? 0), enabled: isPast });
  if (changes.isPending || past.isLoading) return <p className="text-ink-2 text-note">Loading...</p>;
  const output = outputOfRun(entry, {
    execution: steps.data,
    validation: checks.data,
    past: past.data ? [past.data] : [],
  });
  return <PrintedOutput entry={entry} output={output} />;
}

interface PrintedOutputProps {
  entry: AuditEntry;
  output: Output | undefined;
}

/** A run's output, or why it is not shown. */
export function PrintedOutput({ entry, output }: PrintedOutputProps) {
  if (!output) return null;
  if (output.is === "replaced")
    return <p className="text-ink-2 text-note">Only the last run's output is kept.</p>;
  if (output.is === "left_out")
    return <p className="text-ink-2 text-note">Only the newest output is shown here.</p>;
  if (output.is === "nothing") return <p className="text-ink-2 text-note">It printed nothing.</p>;
  return <Code label={`What step ${entry.step_number} printed`} text={output.text} short />;
}
