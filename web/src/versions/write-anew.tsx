import type { Standing } from "../api/documents";
import { dayAndTime } from "../lib/time";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { DOCUMENT_NAMES, whyOld } from "./words";

interface WriteAnewProps {
  /** The existing plan. */
  standing: Standing;
  onClose: () => void;
  onKeep: () => void;
  onWrite: () => void;
}

/** Confirms a stage again: the following plan exists, and is rewritten only if the user asks for that. */
export function WriteAnew({ standing, onClose, onKeep, onWrite }: WriteAnewProps) {
  const { document, version, written_at, out_of_date } = standing;
  const name = DOCUMENT_NAMES[document];
  return (
    <Dialog title={`There is already an ${name}`} onClose={onClose}>
      <div className="flex flex-col gap-2.5 px-5 pt-3 text-ink-2 text-note">
        <p>
          Version {version}
          {written_at && `, written on ${dayAndTime(written_at)}`}.{" "}
          {out_of_date ? whyOld(document, out_of_date) : "It is up to date."}
        </p>
        <p>
          A new plan becomes version {version + 1} and costs tokens; version {version} is kept, and you can
          restore it at any time.
        </p>
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind={out_of_date ? "plain" : "signal"} onClick={onKeep}>
          Keep it and continue
        </Button>
        <Button kind={out_of_date ? "signal" : "plain"} onClick={onWrite}>
          Write a new plan
        </Button>
      </footer>
    </Dialog>
  );
}
