import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Needed } from "./needed";

interface MissingProps {
  missing: Needed[];
  /** Whether it is not known which of them the project has. */
  unread: boolean;
  reading: boolean;
  onRead: () => void;
  onClose: () => void;
  onEnter: () => void;
  onContinue: () => void;
}

/** Lets the owner decide whether to continue without credentials that the requirements name. */
export function MissingCredentials(props: MissingProps) {
  const { missing, unread, reading, onRead, onClose, onEnter, onContinue } = props;
  const one = missing.length === 1;
  const known = one ? "A credential is missing" : "Credentials are missing";
  return (
    <Dialog title={unread ? "Credentials could not be read" : known} onClose={onClose}>
      <div className="flex flex-col gap-2.5 px-5 pt-3 text-ink-2 text-note">
        <p>
          The requirements name{" "}
          {missing.map(({ name }, at) => (
            <span key={name}>
              {at > 0 && (at === missing.length - 1 ? " and " : ", ")}
              <code className="wrap-anywhere font-mono text-ink text-small">{name}</code>
            </span>
          ))}
          . {unread && `The page does not know whether the project has ${one ? "it" : "them"}. `}The plans can
          be written without {one ? "it" : "them"}; the steps that need {one ? "it" : "them"} fail.
        </p>
      </div>
      <footer className="flex flex-wrap justify-end gap-2.5 px-5 py-4">
        <Button onClick={onContinue}>Continue without</Button>
        {unread ? (
          <Button kind="signal" data-first pending={reading} onClick={onRead}>
            {reading ? "Reading..." : "Read again"}
          </Button>
        ) : (
          <Button kind="signal" data-first onClick={onEnter}>
            Enter credentials
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
