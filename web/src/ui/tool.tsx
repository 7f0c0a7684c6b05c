import type { ReactNode } from "react";

/** A button that is a picture; its name is told to whoever cannot see it, and to whoever lingers. */
export function Tool({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
    >
      {children}
    </button>
  );
}
