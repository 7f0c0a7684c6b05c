import type { ReactNode } from "react";
import { cx } from "./class";

/** A button with an icon; its name is its label for screen readers and its tooltip. */
export function Tool({
  label,
  onClick,
  className,
  children,
}: {
  label: string;
  onClick: () => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className={cx(
        "grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink",
        className,
      )}
    >
      {children}
    </button>
  );
}
