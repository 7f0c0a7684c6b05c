import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cx } from "./class";

interface DialogProps {
  title: string;
  description?: string;
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Focuses the field marked as first instead of whatever comes first. */
function focusFirst(event: Event) {
  const first = event.target instanceof HTMLElement && event.target.querySelector("[data-first]");
  if (!(first instanceof HTMLElement)) return;
  event.preventDefault();
  first.focus();
}

/** A modal that holds the focus and the page behind it still; Escape, the backdrop and the cross close it. */
export function Dialog({ title, description, wide, onClose, children }: DialogProps) {
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-[#0b0d0f]/55" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirst(event);
          }}
          // Radix gives the focus back only to a trigger of its own; these are opened by the page's buttons.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cx(
            "-translate-x-1/2 -translate-y-1/2 fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] flex-col rounded-card border border-line-strong bg-surface shadow-2xl",
            "animate-appear focus:outline-none",
            wide ? "max-w-4xl" : "max-w-lg",
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4.5 pb-1">
            <div className="min-w-0">
              <Radix.Title className="break-words text-lead">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-ink-2 text-note">{description}</Radix.Description>
              )}
            </div>
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
