import { AlertDialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { buttonClass } from "./button";

interface AlertProps {
  title: string;
  /** The whole text. */
  text: ReactNode;
  onClose: () => void;
  children?: ReactNode;
}

/** A message that must be read: it takes the focus and stays until it is closed. */
export function Alert({ title, text, onClose, children }: AlertProps) {
  const opener = useRef<Element>(null);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-appear bg-[#0b0d0f]/40" />
        <AlertDialog.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          className="-translate-x-1/2 -translate-y-1/2 fixed top-1/2 left-1/2 z-50 w-[calc(100%-2rem)] max-w-105 animate-appear rounded-card border border-line-strong bg-raised p-5 shadow-2xl focus-visible:-outline-offset-2"
        >
          <AlertDialog.Title className="text-lead">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 break-words text-ink-2">{text}</AlertDialog.Description>
          {children}
          <div className="mt-4 flex justify-end">
            <AlertDialog.Action className={buttonClass("plain")}>OK</AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
