/** The findings of the automatic checks about a command, in words. */

import type { Step } from "../api/execution";
import { counted } from "../lib/text";
import type { Tone } from "../ui/pill";

export type Verdict = NonNullable<Step["verdict"]>;
export type Finding = Verdict["findings"][number];

/** The verdict on the command that is shown; a verdict on another command does not apply. */
export function verdictOf(step: Pick<Step, "verdict" | "command_sha256">): Verdict | undefined {
  const { verdict, command_sha256 } = step;
  return verdict && verdict.sha256 === command_sha256 ? verdict : undefined;
}

/** The verdict in a word or two, and its color. */
export function wordOf({ outcome, findings }: Verdict): [Tone, string] {
  if (outcome === "passed") return ["ok", "passed"];
  if (outcome === "not_checked") return ["idle", "partly checked"];
  const bad = findings.some(({ severity }) => severity === "error");
  return [bad ? "bad" : "signal", counted(findings.length, "finding")];
}

/** A finding's place: in a file that the script writes, or in the script itself. */
export function placeOf({ file, line }: Finding): string {
  return `${file ?? "Script"}${line == null ? "" : `:${line}`}`;
}

/** The checks that did not take place, grouped by reason. */
export function reasonsOf({ not_checked }: Verdict): { tools: string; reason: string }[] {
  const tools = new Map<string, string[]>();
  for (const { tool, reason } of not_checked) tools.set(reason, [...(tools.get(reason) ?? []), tool]);
  return [...tools].map(([reason, names]) => ({ tools: names.join(", "), reason }));
}
