import { useState } from "react";
import type { Step } from "../api/execution";
import { tabStorage } from "../lib/storage";
import { readStored } from "../lib/stored";

interface Kept {
  /** The plan to which the setting applies: steps of another plan ask again. */
  plan: string | undefined;
  upTo: number;
}

const NONE: Kept = { plan: undefined, upTo: 0 };

const asKept = (value: unknown): Kept => {
  const { plan, upTo } = (value ?? {}) as Partial<Kept>;
  return typeof plan === "string" && typeof upTo === "number" ? { plan, upTo } : NONE;
};

/** The last step that is approved automatically, stored for this tab; 0 for none. */
export function useUpTo(projectId: number): [Kept, (kept: Kept) => void] {
  const key = `groundcrew:approve-up-to:${projectId}`;
  const [kept, setKept] = useState(() => asKept(readStored(tabStorage, key)));
  const change = (next: Kept) => {
    tabStorage.setItem(key, JSON.stringify(next));
    setKept(next);
  };
  return [kept, change];
}

const openOf = (steps: readonly Step[]) => steps.filter(({ status }) => status !== "completed");

/** The chosen step as long as it is not completed; 0 for none. */
export const upToOf = (steps: readonly Step[], upTo: number) =>
  openOf(steps).some(({ step_number }) => step_number === upTo) ? upTo : 0;

interface UpToProps {
  steps: readonly Step[];
  upTo: number;
  onChange: (upTo: number) => void;
}

/** Lets the steps up to a chosen one run without asking; later steps ask again. */
export function UpTo({ steps, upTo, onChange }: UpToProps) {
  const open = openOf(steps);
  if (open.length < 2) return null;
  const shown = upToOf(steps, upTo);
  return (
    <label className="inline-flex items-center gap-2 text-ink-2 text-note">
      Approve up to
      <select
        value={shown}
        onChange={(event) => onChange(Number(event.target.value))}
        className="min-h-7 rounded-control border border-line-strong bg-raised px-1.5 text-ink text-note"
      >
        <option value={0}>no step</option>
        {open.map(({ step_number }) => (
          <option key={step_number} value={step_number}>
            step {step_number}
          </option>
        ))}
      </select>
    </label>
  );
}
