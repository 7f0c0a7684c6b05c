import { type ReactNode, useState } from "react";
import { problemText } from "../api/errors";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/states";

/** What the dialog asks the owner to start. */
type Act = {
  mutate: () => void;
  reset: () => void;
  isPending: boolean;
  isError: boolean;
  error: Error | null;
};

/** A button that asks before it begins or ends a change. */
export function AskFirst({
  open,
  title,
  keep,
  yes: [label, busy, kind],
  act,
  children,
}: {
  /** The button that opens the dialog. */
  open: string;
  title: string;
  /** The label of the button that changes nothing. */
  keep: string;
  /** The button that acts: its label, its label while busy, and its look. */
  yes: [string, string, "signal" | "danger"];
  act: Act;
  /** The consequences. */
  children: ReactNode;
}) {
  const [asked, setAsked] = useState(false);
  const ask = () => {
    act.reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="small" onClick={ask}>
        {open}
      </Button>
      {asked && (
        <Dialog title={title} onClose={() => setAsked(false)}>
          <div className="flex flex-col gap-3 px-5 pt-3 text-ink-2 text-note">
            <p>{children}</p>
            {act.isError && <Problem>{problemText(act.error)}</Problem>}
          </div>
          <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
            <Button onClick={() => setAsked(false)}>{keep}</Button>
            <Button kind={kind} pending={act.isPending} onClick={() => act.mutate()}>
              {act.isPending ? busy : label}
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
