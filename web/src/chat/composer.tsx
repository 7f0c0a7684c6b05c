import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Marks, type Range, UNMARKED } from "../api/drafts";
import { MAX_MESSAGE_CHARS } from "../api/limits";
import { Button } from "../ui/button";
import { useLimit } from "../ui/limit";
import { asSent, moved, unmarked, withoutSecret, withSecret } from "./draft";
import { DraftSecrets } from "./draft-secrets";
import { linesOf } from "./secret-lines";
import { beginning, dropReturned } from "./unsent";
import { useDraft } from "./use-draft";
import { useGrowingInput } from "./use-growing-input";

interface ComposerProps {
  label: string;
  /** The key under which the text is kept until it is sent. */
  draft: string;
  placeholder: string;
  multiline: boolean;
  disabled: boolean;
  onSend: (message: string, marks: Marks) => void;
}

export function Composer({ draft, label, placeholder, multiline, disabled, onSend }: ComposerProps) {
  const [kept] = useState(() => beginning(draft, multiline));
  useEffect(() => dropReturned(draft), [draft]);
  const [text, setText] = useState(kept.text);
  const [marks, setMarks] = useState(kept.marks);
  const [selection, setSelection] = useState<Range>();
  const { message, found } = useDraft(draft, text, marks);
  const input = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const sent = asSent(text, marks);
  const limit = useLimit(message, MAX_MESSAGE_CHARS);

  useGrowingInput(input, text, multiline);
  useFocusAfterReply(input, button, disabled);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || limit.isOver || disabled) return;
    onSend(sent.message, sent.marks);
    setText("");
    setMarks(UNMARKED);
    setSelection(undefined);
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const type = (next: string) => {
    setMarks((marks) => moved(marks, text, next));
    setText(next);
  };
  // The positions refer to the message as it is sent, without its leading white space.
  const lead = text.length - text.trimStart().length;
  const typed = ({ start, end }: Range): Range => ({ start: start + lead, end: end + lead });
  const select = () => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? {};
    const some = start != null && end != null && text.slice(start, end).trim() !== "";
    setSelection(some ? { start, end } : undefined);
  };
  const shared = {
    ref: input,
    value: text,
    dir: "auto",
    placeholder,
    disabled,
    "data-focus-returns": "",
    onSelect: select,
    ...limit.field,
    "aria-label": label,
    className:
      "min-w-0 flex-1 resize-none bg-transparent py-1.25 text-ink placeholder:text-ink-3 focus:outline-none disabled:text-ink-3",
  };
  return (
    <form onSubmit={send} className="shrink-0 border-line border-t p-3">
      <DraftSecrets
        message={message}
        found={found}
        marks={sent.marks}
        selection={selection}
        onSecret={(range) => {
          setMarks((marks) => withSecret(marks, range));
          setSelection(undefined);
        }}
        onNoSecret={(range) => setMarks((marks) => withoutSecret(marks, typed(range)))}
        onUnmark={(range) => setMarks((marks) => unmarked(marks, typed(range)))}
      />
      <div className="flex items-end gap-2 rounded-box border border-line-strong bg-raised p-1.75 pl-3.5 transition-colors duration-150 focus-within:border-ink-3 focus-within:ring-1 focus-within:ring-ink-3">
        {multiline ? (
          <textarea {...shared} rows={1} onChange={(event) => type(event.target.value)} onKeyDown={enter} />
        ) : (
          <input {...shared} type="text" autoComplete="off" onChange={(event) => type(event.target.value)} />
        )}
        <Button
          ref={button}
          kind="signal"
          size="small"
          type="submit"
          disabled={limit.isOver}
          pending={disabled}
        >
          Send
        </Button>
      </div>
      {linesOf(message, found, sent.marks).some((line) => line.sealed) && (
        <p className="mt-1.5 px-1 text-ink-2 text-small">
          This draft contains a secret, so it is not kept if you reload the page.
        </p>
      )}
      {limit.note && <div className="mt-1.5 px-1">{limit.note}</div>}
    </form>
  );
}

/** A disabled input loses the focus; it gets the focus with the reply, unless the focus is elsewhere by then. */
function useFocusAfterReply(
  input: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  disabled: boolean,
) {
  const busy = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const unmoved = activeElement === document.body || activeElement === button.current;
    if (busy.current && !disabled && unmoved) input.current?.focus();
    busy.current = disabled;
  }, [input, button, disabled]);
}
