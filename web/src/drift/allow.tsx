import { useState } from "react";
import { allowChecks, checkDrift, type Drift, type DriftCheck } from "../api/drift";
import { problemText } from "../api/errors";
import { counted } from "../lib/text";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Code } from "../ui/code";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";

interface AllowChecksProps {
  checks: DriftCheck[];
  /** Whether the chosen checks also run at once. */
  now: boolean;
  keep: (drift: Drift) => void;
  onClose: () => void;
}

/** Lets the owner give standing approvals to checks: each script is shown, and none is chosen by default. */
export function AllowChecks({ checks, now, keep, onClose }: AllowChecksProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const wanted = checks.filter(({ step_number }) => chosen.has(step_number));
  const reading = checks.filter(({ changes }) => changes === null);
  const all = reading.length > 0 && wanted.length === reading.length;
  const give = useOnce({
    mutationFn: async () => {
      const allowed = await allowChecks(wanted);
      keep(allowed);
      return now ? checkDrift() : allowed;
    },
    onSuccess: (drift) => {
      keep(drift);
      onClose();
    },
  });
  const turn = (number: number) => {
    const next = new Set(chosen);
    if (!next.delete(number)) next.add(number);
    setChosen(next);
  };
  const allow = `Allow ${counted(wanted.length, "check")}`;
  return (
    <Dialog title={now ? "Check now?" : "Which checks may run again?"} wide onClose={onClose}>
      <div className="min-h-0 overflow-y-auto px-5 pt-2 pb-1">
        <p className="text-ink-2">
          These checks passed. Those that you choose run again in the sandbox, now and whenever you or your
          schedule ask, exactly as shown and with the project's present credentials, until you withdraw this.
          A check that changes something cannot be chosen: it would hide what it should find.
        </p>
        <label className="mt-3 flex min-h-8 items-center gap-2 font-[560]">
          <input
            type="checkbox"
            checked={all}
            disabled={reading.length === 0}
            onChange={() => setChosen(new Set(all ? [] : reading.map(({ step_number }) => step_number)))}
          />
          All of them
        </label>
        <ul className="mt-2 flex flex-col gap-4">
          {checks.map((check) => (
            <li key={check.step_number}>
              <label className="mb-1.5 flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  checked={chosen.has(check.step_number)}
                  disabled={check.changes !== null}
                  onChange={() => turn(check.step_number)}
                />
                <span className="min-w-0 break-words">{check.description}</span>
              </label>
              {check.changes !== null && (
                <p className="mb-1.5 text-ink-2 text-small">Cannot run again. {check.changes}</p>
              )}
              <Code label={`Script of check ${check.step_number}`} text={check.command} short />
            </li>
          ))}
        </ul>
      </div>
      {give.isError && (
        <div className="px-5 pt-3">
          <Problem>{problemText(give.error)}</Problem>
        </div>
      )}
      <div className="flex justify-end gap-2 px-5 py-4">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="signal"
          disabled={wanted.length === 0}
          pending={give.isPending}
          onClick={() => give.mutate()}
        >
          {now ? "Approve and check" : allow}
        </Button>
      </div>
    </Dialog>
  );
}
