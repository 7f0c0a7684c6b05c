import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";
import { cx } from "./class";

/** A card that fills its place: header and footer stay, and the content between them scrolls. */
export function Card({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className={cx(
        "flex min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface shadow-[0_10px_24px_-18px_rgb(0_0_0/0.25)]",
        className,
      )}
    >
      {children}
    </section>
  );
}

interface CardHeaderProps {
  title: string;
  /** On a phone the title is hidden in favor of the content next to it. */
  yields?: boolean;
  children?: ReactNode;
}

export function CardHeader({ title, yields, children }: CardHeaderProps) {
  return (
    <header className="flex min-h-11.5 shrink-0 items-center justify-between gap-3 border-line border-b px-4.5">
      <h2 className={cx("truncate text-lead", yields && "max-narrow:sr-only")}>{title}</h2>
      {children}
    </header>
  );
}

/** The place of a card's bar while the card may be out of sight: below all of the page's cards. */
export const FootPlace = createContext<HTMLElement | null>(null);

/** The bar below a document: the effect of confirming, and the button. */
export function CardFooter({ children }: { children: ReactNode }) {
  const place = useContext(FootPlace);
  const bar = (
    <footer
      className={cx(
        "flex shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-4.5 py-3",
        place ? "mt-3 rounded-card border bg-surface py-2" : "border-t",
      )}
    >
      {children}
    </footer>
  );
  return place ? createPortal(bar, place) : bar;
}
