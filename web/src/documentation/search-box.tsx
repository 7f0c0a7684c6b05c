import { ChevronDown, ChevronUp, Search } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { useFind } from "./use-find";

/** Finds words in the page next to it; Enter goes to the next hit, Shift+Enter to the previous one, Escape clears. */
export function SearchBox({ find }: { find: ReturnType<typeof useFind> }) {
  const key = (event: KeyboardEvent) => {
    if (event.key === "Enter") find.move(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") find.setQuery("");
    else return;
    event.preventDefault();
  };
  return (
    <search className="flex min-w-0 flex-1 items-center justify-end gap-1 print:hidden">
      <label className="flex h-8 min-w-0 max-narrow:flex-1 items-center gap-2 rounded-control border border-line-strong bg-raised px-2.5 focus-within:border-ink-3 focus-within:ring-1 focus-within:ring-ink-3">
        <Search size={14} aria-hidden className="shrink-0 text-ink-3" />
        <input
          type="search"
          value={find.query}
          placeholder="Search this page"
          aria-label="Search this page"
          onChange={(event) => find.setQuery(event.target.value)}
          onKeyDown={key}
          className="w-36 min-w-0 flex-1 bg-transparent text-note placeholder:text-ink-3 focus:outline-none max-narrow:w-28 [&::-webkit-search-cancel-button]:hidden"
        />
        <span role="status" className="whitespace-nowrap text-ink-3 text-tiny empty:hidden">
          {find.query.trim() !== "" && (find.count === 0 ? "None" : `${find.at} of ${find.count}`)}
        </span>
      </label>
      {find.count > 1 && (
        <>
          <Step label="Previous hit" onClick={() => find.move(-1)}>
            <ChevronUp size={15} aria-hidden />
          </Step>
          <Step label="Next hit" onClick={() => find.move(1)}>
            <ChevronDown size={15} aria-hidden />
          </Step>
        </>
      )}
    </search>
  );
}

function Step({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
    >
      {children}
    </button>
  );
}
