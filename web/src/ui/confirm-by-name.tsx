import { type ReactNode, useId, useState } from "react";
import { asDrawn } from "../lib/text";
import { Button } from "./button";
import { Dialog } from "./dialog";

interface ConfirmByNameProps {
  title: string;
  description: string;
  /** The text to type. */
  name: string;
  /** The button's label, and its label while it is busy. */
  action: [string, string];
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** The consequences, and errors. */
  children: ReactNode;
}

/** Requires typing a name before a permanent deletion. */
export function ConfirmByName({
  title,
  description,
  name,
  action,
  busy,
  onClose,
  onConfirm,
  children,
}: ConfirmByNameProps) {
  const [typed, setTyped] = useState("");
  const id = useId();
  const same = asDrawn(typed) === asDrawn(name);
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (same && !busy) onConfirm();
        }}
      >
        <div className="flex flex-col gap-3 px-5 pt-3 text-ink-2 text-note">
          {children}
          <label htmlFor={id} className="flex flex-col gap-1.5">
            <span>
              Type <b className="wrap-anywhere font-[620] text-ink">{name}</b> to confirm
            </span>
            <input
              id={id}
              data-first
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="min-h-9 rounded-control border border-line-strong bg-raised px-3 text-base text-ink"
            />
          </label>
        </div>
        <footer className="flex justify-end gap-2.5 px-5 py-4">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" disabled={!same} pending={busy}>
            {busy ? action[1] : action[0]}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
