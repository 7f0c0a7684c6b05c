import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { Screen } from "./screen";

const BUTTON = "grid size-7 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink";

/** Whether the user has just opened the search. */
const focus = (input: HTMLInputElement | null) => input?.focus();

/** Finds text in the terminal's scrollback. */
export function Search({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const [text, setText] = useState("");
  const next = () => screen.search.findNext(text);
  const previous = () => screen.search.findPrevious(text);
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    if (event.key === "Enter") (event.shiftKey ? previous : next)();
  };
  return (
    <search className="absolute top-2 right-4 z-10 flex animate-appear items-center gap-0.5 rounded-control border border-line-strong bg-raised p-1 shadow-lg">
      <input
        ref={focus}
        value={text}
        placeholder="Find in terminal"
        aria-label="Find in terminal"
        onChange={(event) => {
          setText(event.target.value);
          screen.search.findNext(event.target.value, { incremental: true });
        }}
        onKeyDown={key}
        className="w-44 bg-transparent px-2 text-note placeholder:text-ink-3 focus:outline-none"
      />
      <button type="button" aria-label="Previous match" onClick={previous} className={BUTTON}>
        <ChevronUp size={15} aria-hidden />
      </button>
      <button type="button" aria-label="Next match" onClick={next} className={BUTTON}>
        <ChevronDown size={15} aria-hidden />
      </button>
      <button type="button" aria-label="Close search" onClick={onClose} className={BUTTON}>
        <X size={15} aria-hidden />
      </button>
    </search>
  );
}
