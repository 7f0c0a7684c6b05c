import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { asOrder, ORDERS, type Order } from "./arrange";

interface ToolbarProps {
  search: string;
  order: Order;
  onSearch: (search: string) => void;
  onOrder: (order: Order) => void;
}

/** The search among many projects; `/` focuses it. */
export function Toolbar({ search, order, onSearch, onOrder }: ToolbarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.activeElement?.closest("input, textarea, select, [role=dialog]")) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", slash);
    return () => window.removeEventListener("keydown", slash);
  }, []);
  return (
    <search className="flex min-w-0 flex-wrap items-center gap-2.5 max-narrow:w-full">
      <label className="flex min-w-0 flex-1 items-center gap-2 rounded-control border border-line-strong bg-raised px-2.5 focus-within:border-ink-3 focus-within:ring-1 focus-within:ring-ink-3">
        <Search size={15} aria-hidden className="shrink-0 text-ink-2" />
        <input
          ref={field}
          type="search"
          aria-label="Search projects"
          placeholder="Search projects"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          className="min-h-8.5 w-44 min-w-0 flex-1 bg-transparent placeholder:text-ink-3 focus:outline-none [&::-webkit-search-cancel-button]:grayscale"
        />
        <kbd
          aria-hidden
          hidden={search !== ""}
          className="rounded-[4px] border border-line-strong px-1.5 font-mono text-ink-3 text-tiny max-narrow:hidden"
        >
          /
        </kbd>
      </label>
      <select
        aria-label="Sort by"
        value={order}
        onChange={(event) => onOrder(asOrder(event.target.value))}
        className="min-h-9 rounded-control border border-line-strong bg-raised px-2.5 font-[550]"
      >
        {Object.entries(ORDERS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </search>
  );
}
