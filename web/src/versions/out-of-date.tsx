import { History } from "lucide-react";
import type { ReactNode } from "react";
import { problemText } from "../api/errors";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";

interface OutOfDateProps {
  /** Why, in a sentence. */
  why: string;
  /** Fixes it: a {@link Renew} button, or a link to the place where it can be fixed. */
  action: ReactNode;
  /** Why renewing it failed. */
  error?: Error | null;
}

/** Reports above a document that it is older than its source, with the one action that fixes that. */
export function OutOfDate({ why, action, error }: OutOfDateProps) {
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-signal-veil px-4.5 py-2.5 text-note print:hidden"
    >
      <History size={16} aria-hidden className="shrink-0 text-signal-text" />
      <p className="min-w-48 flex-1">
        <b className="font-[620]">Out of date.</b> {why}
      </p>
      {action}
      {error && (
        <div className="basis-full">
          <Problem>{problemText(error)}</Problem>
        </div>
      )}
    </div>
  );
}

interface RenewProps {
  /** The button's label, and its label while busy. */
  label: [string, string];
  busy: boolean;
  onRenew: () => void;
}

/** Renews a document that is out of date. */
export function Renew({ label, busy, onRenew }: RenewProps) {
  return (
    <Button size="small" pending={busy} onClick={onRenew}>
      {busy ? label[1] : label[0]}
    </Button>
  );
}
