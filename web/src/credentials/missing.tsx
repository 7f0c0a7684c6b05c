import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Needed } from "./needed";

interface MissingProps {
  missing: Needed[];
  onClose: () => void;
  onEnter: () => void;
  onContinue: () => void;
}

/** Lets the owner decide whether to continue without credentials that the requirements name. */
export function MissingCredentials({ missing, onClose, onEnter, onContinue }: MissingProps) {
  const one = missing.length === 1;
  return (
    <Dialog title={one ? "A credential is missing" : "Credentials are missing"} onClose={onClose}>
      <div className="flex flex-col gap-2.5 px-5 pt-3 text-ink-2 text-note">
        <p>
          The requirements name{" "}
          {missing.map(({ name }, at) => (
            <span key={name}>
              {at > 0 && (at === missing.length - 1 ? " and " : ", ")}
              <code className="break-all font-mono text-ink text-small">{name}</code>
            </span>
          ))}
          . The plans can be written without {one ? "it" : "them"}; the steps that need {one ? "it" : "them"}{" "}
          fail.
        </p>
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button onClick={onContinue}>Continue without</Button>
        <Button kind="signal" data-first onClick={onEnter}>
          Enter credentials
        </Button>
      </footer>
    </Dialog>
  );
}
