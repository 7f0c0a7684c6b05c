import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cx } from "./class";
import { openerOf, returnFocus } from "./focus-place";
import { useMovingFocus } from "./moving-focus";

interface DialogProps {
  title: string;
  description?: string;
  wide?: boolean;
  /** Whether it takes the whole window, with a margin if there is room for one. */
  full?: boolean;
  /** A few words above the title, and the content to its right. */
  eyebrow?: string;
  aside?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Focuses the field marked as first instead of the first focusable element. */
function focusFirst(event: Event) {
  const first = event.target instanceof HTMLElement && event.target.querySelector("[data-first]");
  if (!(first instanceof HTMLElement)) return;
  event.preventDefault();
  first.focus();
}

const CENTERED =
  "-translate-x-1/2 -translate-y-1/2 top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto rounded-card border";
const FULL =
  "inset-5 mx-auto max-w-[1560px] rounded-card border max-narrow:inset-0 max-narrow:rounded-none max-narrow:border-0 short:inset-0 short:rounded-none short:border-0";

/**
 * A modal that keeps the focus and stops the page behind it from scrolling; Escape, the backdrop and the close button
 * close it.
 */
export function Dialog({ title, description, wide, full, eyebrow, aside, onClose, children }: DialogProps) {
  const opener = useRef<Element>(null);
  const movingFocus = useMovingFocus();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-[#0b0d0f]/55" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            opener.current = openerOf(document.activeElement);
            focusFirst(event);
          }}
          // Radix returns the focus only to its own triggers, but the page's own buttons open these dialogs.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(opener.current);
          }}
          {...movingFocus}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cx(
            "fixed z-50 flex animate-appear flex-col border-line-strong bg-surface shadow-2xl focus-visible:-outline-offset-2",
            full ? FULL : CENTERED,
            !full && (wide ? "max-w-4xl" : "max-w-lg"),
          )}
        >
          <header
            className={cx("flex items-start justify-between gap-4 px-5 pt-4.5 pb-1", full && "short:py-2")}
          >
            <div className={cx("min-w-0", full && "short:flex short:items-baseline short:gap-2.5")}>
              {eyebrow && <p className="shrink-0 text-ink-2 text-small">{eyebrow}</p>}
              <Radix.Title
                className={cx(
                  "break-words",
                  full ? "text-title max-narrow:text-lead short:text-lead" : "text-lead",
                )}
              >
                {title}
              </Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-ink-2 text-note">{description}</Radix.Description>
              )}
            </div>
            {aside && <span className="mt-0.5 ml-auto shrink-0">{aside}</span>}
            <Radix.Close
              aria-label="Close dialog"
              className="-mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X size={17} aria-hidden />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
