import { ChevronRight } from "lucide-react";
import type { Step } from "../api/execution";
import { cx } from "../ui/class";
import { Pill } from "../ui/pill";
import { type Finding, placeOf, reasonsOf, verdictOf, wordOf } from "./verdict";

/** A command with the findings of the automatic checks. */
type Judged = Pick<Step, "verdict" | "command_sha256">;

interface CheckedByMachinesProps {
  step: Judged;
  /** Whether the verdict itself stands elsewhere. */
  bare?: boolean;
  className?: string;
}

/** The findings of the automatic checks before the owner is asked: the verdict and its details. */
export function CheckedByMachines({ step, bare = false, className }: CheckedByMachinesProps) {
  const verdict = verdictOf(step);
  if (!verdict) return null;
  const [tone, word] = wordOf(verdict);
  return (
    <details open={verdict.findings.length > 0} className={cx("group", className)}>
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 text-note [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-ink-2 transition-transform duration-150 group-open:rotate-90"
        />
        <span className="font-[560]">Automatic checks</span>
        {!bare && <Pill tone={tone}>{word}</Pill>}
      </summary>
      <div className="flex flex-col gap-3 pb-3 text-small">
        {verdict.findings.length > 0 && (
          <ul aria-label="Findings" className="flex flex-col gap-2">
            {verdict.findings.map((finding) => (
              <Found key={`${placeOf(finding)} ${finding.message}`} finding={finding} />
            ))}
          </ul>
        )}
        <div>
          <p className="label mb-0.5">Checks</p>
          <p className="text-ink-2">{verdict.checked.join(", ")}</p>
        </div>
        {reasonsOf(verdict).map(({ tools, reason }) => (
          <div key={reason}>
            <p className="label mb-0.5">Not checked</p>
            <p>
              {tools} <span className="text-ink-2">· {reason}</span>
            </p>
          </div>
        ))}
        {verdict.rounds > 0 && (
          <p className="text-ink-2">
            The agent rewrote this {verdict.rounds === 1 ? "once" : `${verdict.rounds} times`} after earlier
            findings.
          </p>
        )}
      </div>
    </details>
  );
}

/** The verdict alone, for a place beside the decision. */
export function VerdictPill({ step }: { step: Judged }) {
  const verdict = verdictOf(step);
  if (!verdict) return null;
  const [tone, word] = wordOf(verdict);
  return <Pill tone={tone}>Checks: {word}</Pill>;
}

function Found({ finding }: { finding: Finding }) {
  const error = finding.severity === "error";
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={cx("font-[560]", error ? "text-bad" : "text-signal-text")}>
          {error ? "Error" : "Warning"}
        </span>
        <span className="min-w-0 wrap-anywhere font-mono">{placeOf(finding)}</span>
        <span className="text-ink-2">{finding.tool}</span>
      </p>
      <p className="break-words">{finding.message}</p>
    </li>
  );
}
