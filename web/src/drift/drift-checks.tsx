import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { auditKey } from "../api/audit";
import {
  checkDrift,
  type Drift,
  type DriftCheck,
  driftKey,
  isUnderWay,
  withdrawApproval,
} from "../api/drift";
import { problemText } from "../api/errors";
import { plainOutput } from "../lib/ansi";
import { lastLines } from "../lib/text";
import { dayAndTime } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Code } from "../ui/code";
import { FoldLine } from "../ui/fold-line";
import { Pill } from "../ui/pill";
import { Problem } from "../ui/states";
import { AllowChecks } from "./allow";
import { Schedule } from "./schedule";
import { aboutWords, checkedAt, driftTone, driftWord, foundBy, summaryOf } from "./words";

interface DriftChecksProps {
  projectId: number;
  drift: Drift;
  /** The ways to bring back what these checks describe. */
  waysBack: (drifted: DriftCheck[]) => ReactNode;
  /** Content next to the buttons. */
  children: ReactNode;
}

/** Whether the validated state is still as described, checked on request or on a schedule. */
export function DriftChecks({ projectId, drift, waysBack, children }: DriftChecksProps) {
  const queries = useQueryClient();
  const [choosing, setChoosing] = useState<"now" | "more">();
  const checkNow = useRef<HTMLButtonElement>(null);
  const keep = (now: Drift) => {
    queries.setQueryData(driftKey(projectId), now);
    void queries.invalidateQueries({ queryKey: auditKey(projectId) });
  };
  const check = useOnce({ mutationFn: checkDrift, onSuccess: keep });
  const withdraw = useOnce({
    mutationFn: withdrawApproval,
    onSuccess: (now) => {
      keep(now);
      // The button that was pressed is gone.
      checkNow.current?.focus();
    },
  });
  const { checks } = drift;
  const drifted = checks.filter(({ status }) => status === "drifted");
  const others = checks.filter(({ approved_by }) => approved_by === null);
  const anyAllowed = others.length < checks.length;
  const anyLeft = others.some(({ changes }) => changes === null);
  const busy = isUnderWay(checks) || check.isPending;
  const error = check.error ?? withdraw.error;
  const start = () => {
    if (anyAllowed) check.mutate();
    else setChoosing("now");
  };
  return (
    <>
      <Summary checks={checks} />
      <Drifted checks={drifted}>{waysBack(drifted)}</Drifted>
      <ul className="rounded-box border border-line">
        {checks.map((one) => (
          <Row
            key={one.step_number}
            check={one}
            busy={withdraw.isPending}
            withdraw={() => withdraw.mutate(one.step_number)}
          />
        ))}
      </ul>
      {error && (
        <div className="mt-3">
          <Problem>{problemText(error)}</Problem>
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button ref={checkNow} size="small" pending={busy} onClick={start}>
          {busy ? "Checking..." : "Check now"}
        </Button>
        {anyAllowed && anyLeft && (
          <Button size="small" pending={busy} onClick={() => setChoosing("more")}>
            Allow more checks
          </Button>
        )}
        {children}
      </div>
      {(anyAllowed || drift.every !== "off") && <Schedule drift={drift} keep={keep} />}
      {choosing && (
        <AllowChecks
          checks={others}
          now={choosing === "now"}
          keep={keep}
          onClose={() => setChoosing(undefined)}
        />
      )}
    </>
  );
}

function Summary({ checks }: { checks: DriftCheck[] }) {
  const at = checkedAt(checks);
  return (
    <p aria-live="polite" className="mb-2 text-note">
      {summaryOf(checks)}
      {at && (
        <>
          {" "}
          · last checked <time dateTime={at}>{dayAndTime(at)}</time>
        </>
      )}
    </p>
  );
}

function Drifted({ checks, children }: { checks: DriftCheck[]; children: ReactNode }) {
  if (checks.length === 0) return null;
  return (
    <div className="mb-3 rounded-box bg-bad-wash px-3.5 py-2.5">
      <p className="font-[560] text-bad">No longer as described</p>
      <ul className="mt-1 flex flex-col gap-1.5">
        {checks.map((check) => (
          <li key={check.step_number} className="min-w-0 break-words">
            {check.description}
            {check.drifted_since && (
              <span className="block text-ink-2 text-small">
                since <time dateTime={check.drifted_since}>{dayAndTime(check.drifted_since)}</time>
                {foundBy(check) !== "" && `: ${foundBy(check)}`}
              </span>
            )}
            {check.requirements.length > 0 && (
              <span className="block text-ink-2 text-small">{aboutWords(check)}</span>
            )}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

interface RowProps {
  check: DriftCheck;
  busy: boolean;
  withdraw: () => void;
}

/** How many lines of a check's output are shown. */
const OUTPUT_LINES = 10;

function Row({ check, busy, withdraw }: RowProps) {
  const printed = plainOutput(check.output).trimEnd();
  const { step_number, status, description, approved_by, credentials, error_message, requirements, changes } =
    check;
  return (
    <li className="border-line border-b px-3.5 py-2 last:border-0">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 break-words">{description}</span>
        <Pill tone={driftTone(status)} live={status === "checking"}>
          {driftWord(status)}
        </Pill>
      </div>
      {requirements.length > 0 && <p className="text-ink-2 text-small">{aboutWords(check)}</p>}
      {changes !== null && <p className="text-ink-2 text-small">Cannot run again. {changes}</p>}
      {status === "unknown" && error_message && <p className="text-ink-2 text-small">{error_message}</p>}
      {printed !== "" && (
        <details>
          <FoldLine className="w-fit text-ink-2 text-small">What it printed</FoldLine>
          <Code label={`Output of check ${step_number}`} text={lastLines(printed, OUTPUT_LINES) || printed} />
        </details>
      )}
      {approved_by !== null && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 text-ink-2 text-small">
          <span>
            Allowed to run again by @{approved_by}
            {credentials.length > 0 && `, with ${credentials.join(", ")}`}
          </span>
          <Button
            size="small"
            kind="quiet"
            pending={busy}
            aria-label={`Withdraw the approval of check ${step_number}`}
            onClick={withdraw}
          >
            Withdraw
          </Button>
        </div>
      )}
    </li>
  );
}
