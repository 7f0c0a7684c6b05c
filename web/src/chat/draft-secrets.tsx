import { KeyRound } from "lucide-react";
import type { Found, Marks, Range } from "../api/drafts";
import { firstCharacters } from "../lib/text";
import { Button } from "../ui/button";

const KINDS: Record<string, string> = {
  password: "password",
  token: "token",
  private_key: "private key",
  marked: "marked by you",
};

/** How much of a secret is shown, in characters. */
const SHOWN_CHARS = 28;

/** A line keeps its button at its end, however long the secret or its name. */
const LINE = "flex items-center gap-2";
const WORDS = "flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2";

interface DraftSecretsProps {
  message: string;
  found: Found[];
  marks: Marks;
  /** The current selection in the message. */
  selection: Range | undefined;
  onSecret: (range: Range) => void;
  onNoSecret: (range: Range) => void;
  onUnmark: (range: Range) => void;
}

/** Shows, before a message is sent, which parts of it will be sealed, and lets its author correct each. */
export function DraftSecrets(props: DraftSecretsProps) {
  const { message, found, marks, selection, onSecret, onNoSecret, onUnmark } = props;
  if (found.length === 0 && marks.notSecrets.length === 0 && !selection) return null;
  return (
    <section
      aria-label="Secrets in this message"
      className="mb-2 flex max-h-40 flex-col gap-1 overflow-y-auto rounded-box border border-line bg-sunken px-3 py-2 text-small"
    >
      {found.length > 0 && <p className="text-ink-2">Sealed before it is sent; agents see only the name:</p>}
      <ul className="flex flex-col gap-1 empty:hidden">
        {once(found).map((one) => (
          <li key={`${one.start}-${one.name}`} className={LINE}>
            <KeyRound size={13} aria-hidden className="shrink-0 text-ink-2" />
            <span className={WORDS}>
              <code className="max-w-full truncate font-mono">{cut(message, one)}</code>
              <span className="min-w-0 break-words text-ink-2">
                becomes <code className="font-mono">{one.name}</code> ({KINDS[one.kind] ?? one.kind})
              </span>
            </span>
            <Button
              size="small"
              kind="quiet"
              onClick={() => (one.kind === "marked" ? onUnmark(one) : onNoSecret(one))}
            >
              {one.kind === "marked" ? "Unmark" : "Not a secret"}
            </Button>
          </li>
        ))}
        {marks.notSecrets.map((range) => (
          <li key={range.start} className={LINE}>
            <span className={WORDS}>
              <code className="max-w-full truncate font-mono">{cut(message, range)}</code>
              <span className="text-ink-2">is sent as you typed it</span>
            </span>
            <Button size="small" kind="quiet" onClick={() => onUnmark(range)}>
              Seal it
            </Button>
          </li>
        ))}
      </ul>
      {selection && (
        <Button
          size="small"
          className="w-fit max-w-full"
          // The field keeps the focus and thereby the selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSecret(selection)}
        >
          Mark the selection as secret
        </Button>
      )}
    </section>
  );
}

/** A secret that appears twice in the message is one line. */
const once = (found: readonly Found[]) =>
  found.filter((one, at) => found.findIndex((other) => other.name === one.name) === at);

function cut(message: string, { start, end }: Range): string {
  const text = message.slice(start, end).replace(/\s+/g, " ");
  const shown = firstCharacters(text, SHOWN_CHARS);
  return shown === text ? text : `${shown}…`;
}
