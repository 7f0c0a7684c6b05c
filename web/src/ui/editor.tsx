import { type KeyboardEvent, type UIEvent, useMemo, useRef } from "react";

interface EditorProps {
  name: string;
  text: string;
  readOnly: boolean;
  /** Whether it takes the focus of its dialog. */
  first?: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
}

/**
 * A text area with line numbers.
 *
 * The browser's own text area is enough. Files here are at most 64 KiB, and people view and fix them rather than write
 * them; a text area has undo, spell checking, screen reader support, touch keyboards and find in the user's familiar
 * form, and Tab leaves it. An editor component would add some 100 KB to load only for colors.
 */
export function Editor({ name, text, readOnly, first = false, onChange, onSave }: EditorProps) {
  const numbers = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => lineNumbers(text), [text]);
  const follow = (event: UIEvent<HTMLTextAreaElement>) => {
    if (numbers.current) numbers.current.style.translate = `0 ${-event.currentTarget.scrollTop}px`;
  };
  const key = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    onSave();
  };
  return (
    <div
      data-editor
      className="relative flex min-h-0 flex-1 bg-surface font-mono text-small leading-[1.6] focus-within:after:pointer-events-none focus-within:after:absolute focus-within:after:inset-0 focus-within:after:border-2 focus-within:after:border-ink-3"
    >
      <div
        aria-hidden
        className="shrink-0 select-none overflow-hidden border-line border-r bg-sunken text-ink-3"
      >
        <pre ref={numbers} className="px-2.5 py-3 text-right">
          {lines}
        </pre>
      </div>
      <textarea
        value={text}
        readOnly={readOnly}
        aria-label={`Text of ${name}`}
        wrap="off"
        {...(first ? { autoFocus: true } : {})}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={key}
        onScroll={follow}
        className="min-h-0 min-w-0 flex-1 resize-none overflow-auto overscroll-contain whitespace-pre bg-transparent px-3 py-3 text-ink focus:outline-none"
      />
    </div>
  );
}

function lineNumbers(text: string): string {
  const count = text.split("\n").length;
  return Array.from({ length: count }, (_, index) => index + 1).join("\n");
}
