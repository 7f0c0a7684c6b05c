import { KeyRound } from "lucide-react";
import type { Schemas } from "../api/client";
import type { Found, Marks, Range } from "../api/drafts";
import { entryOf } from "../lib/table";
import { firstCharacters } from "../lib/text";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { linesOf, type SecretLine } from "./secret-lines";

const KINDS: Record<Schemas["SecretKind"], string> = {
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
  const lines = linesOf(message, found, marks);
  if (lines.length === 0 && !selection) return null;
  return (
    <section
      aria-label="Secrets in this message"
      className="mb-2 flex max-h-40 flex-col gap-1 overflow-y-auto rounded-box border border-line bg-sunken px-3 py-2 text-small"
    >
      {lines.length > 0 && <p className="text-ink-2">{headingOf(lines)}</p>}
      <ul className="flex flex-col gap-1 empty:hidden">
        {lines.map((line) => (
          <li key={`${line.start}-${line.end}`} className={LINE}>
            <KeyRound
              size={13}
              aria-hidden
              className={cx("shrink-0", line.sealed ? "text-ink-2" : "invisible")}
            />
            <span className={WORDS}>
              <code className="max-w-full truncate font-mono">{cut(message, line)}</code>
              <span className="min-w-0 break-words text-ink-2">
                {line.sealed ? (
                  <>
                    becomes <code className="font-mono">{line.sealed.name}</code> (
                    {entryOf(KINDS, line.sealed.kind) ?? line.sealed.kind})
                  </>
                ) : (
                  "is sent as you typed it"
                )}
              </span>
            </span>
            <Button
              size="small"
              kind="quiet"
              onClick={(event) => {
                // The second click of a double click is not about what the first one has put under the pointer.
                if (event.detail > 1) return;
                if (line.sealed && line.sealed.kind !== "marked") onNoSecret(line);
                else onUnmark(line);
              }}
            >
              {line.sealed ? (line.sealed.kind === "marked" ? "Unmark" : "Not a secret") : "Seal it"}
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

function headingOf(lines: readonly SecretLine[]): string {
  const sealed = lines.filter((line) => line.sealed).length;
  if (sealed === 0) return "Nothing in this message is sealed:";
  return sealed === lines.length
    ? "Sealed before it is sent; agents see only the name:"
    : "Sealed before it is sent, except as noted; agents see only the name:";
}

function cut(message: string, { start, end }: Range): string {
  const text = message.slice(start, end).replace(/\s+/g, " ");
  const shown = firstCharacters(text, SHOWN_CHARS);
  return shown === text ? text : `${shown}…`;
}
