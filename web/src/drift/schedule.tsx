import { useMutation } from "@tanstack/react-query";
import { type Drift, type Every, scheduleDrift } from "../api/drift";
import { problemText } from "../api/errors";
import { dayAndTime } from "../lib/time";
import { Problem } from "../ui/states";
import { EVERY, isPaused } from "./words";

/** Lets the owner choose how often the checks run automatically. */
export function Schedule({ drift, keep }: { drift: Drift; keep: (drift: Drift) => void }) {
  const choose = useMutation({ mutationFn: scheduleDrift, onSuccess: keep });
  const shown = choose.isPending ? choose.variables : drift.every;
  return (
    <div className="mt-3">
      <label className="inline-flex items-center gap-2 text-ink-2 text-note">
        Check for drift
        <select
          value={shown}
          onChange={(event) => {
            const chosen = (Object.keys(EVERY) as Every[]).find((every) => every === event.target.value);
            if (chosen) choose.mutate(chosen);
          }}
          className="min-h-7 rounded-control border border-line-strong bg-raised px-1.5 text-ink text-note"
        >
          {Object.entries(EVERY).map(([every, words]) => (
            <option key={every} value={every}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {isPaused(drift) ? (
        <p className="mt-1 text-ink-2 text-note">
          Paused: none of the checks may run again yet. "Check now" asks you which ones to allow, and the
          schedule continues with them.
        </p>
      ) : (
        drift.due_at && (
          <p className="mt-1 text-ink-2 text-note">
            Next on <time dateTime={drift.due_at}>{dayAndTime(drift.due_at)}</time>. If the sandbox is
            stopped, the check starts it, and its running time is charged as always.
          </p>
        )
      )}
      {choose.isError && <Problem>{problemText(choose.error)}</Problem>}
    </div>
  );
}
