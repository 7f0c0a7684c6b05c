import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Scroll } from "../ui/scroll";

interface ConflictProps {
  name: string;
  /** The file's present text; undefined if the file is gone. */
  theirs: string | undefined;
  mine: string;
  /** Whether it was to be created: then the file that is there was never opened. */
  isNew: boolean;
  busy: boolean;
  onReload: () => void;
  onOverwrite: () => void;
  onClose: () => void;
}

/** The file was changed elsewhere in the meantime: shows both texts and asks which one to keep. */
export function Conflict({ name, theirs, mine, isNew, busy, onReload, onOverwrite, onClose }: ConflictProps) {
  const gone = theirs === undefined;
  return (
    <Dialog
      title={
        gone
          ? "This file is gone"
          : isNew
            ? "There is already a file with this name"
            : "This file has changed since you opened it"
      }
      description={
        gone
          ? `${name} was deleted in the sandbox while you were editing it.`
          : isNew
            ? `${name} has been created in the sandbox in the meantime. Your file is not saved yet.`
            : `A command or another window has changed ${name} in the meantime. Your changes are not saved yet.`
      }
      wide
      onClose={onClose}
    >
      <div className="grid min-h-0 grid-cols-2 gap-3 px-5 pt-3 max-narrow:grid-cols-1 max-narrow:overflow-y-auto">
        <Side title="In the sandbox" text={theirs} />
        <Side title="Yours" text={mine} />
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button data-first onClick={onClose}>
          Keep editing
        </Button>
        <Button pending={busy} onClick={onReload}>
          {gone ? "Discard mine" : "Reload theirs"}
        </Button>
        <Button kind="danger" pending={busy} onClick={onOverwrite}>
          {busy ? "Saving..." : gone ? "Save mine again" : "Overwrite with mine"}
        </Button>
      </footer>
    </Dialog>
  );
}

function Side({ title, text }: { title: string; text: string | undefined }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <p className="label mb-1">{title}</p>
      <Scroll
        label={title}
        className="max-h-[45dvh] min-h-32 flex-1 overflow-auto rounded-control border border-line bg-sunken px-3 py-2"
      >
        {text === undefined ? (
          <p className="text-ink-3 text-note">The file no longer exists.</p>
        ) : (
          <pre className="font-mono text-small leading-[1.55]">{text}</pre>
        )}
      </Scroll>
    </div>
  );
}
