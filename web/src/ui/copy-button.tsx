import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { cx } from "./class";

/** How long the button confirms the copy, in milliseconds. */
const COPIED_MS = 1_500;

interface CopyButtonProps {
  /** The copied content, in a few words: "code", "the value of db_host". */
  what: string;
  text: string;
  className?: string;
}

export function CopyButton({ what, text, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <button
      type="button"
      aria-label={copied ? "Copied" : `Copy ${what}`}
      onClick={() =>
        void copy().catch((error: unknown) => console.error("Copying is not allowed here", error))
      }
      className={cx(
        "grid size-7 shrink-0 place-items-center rounded-control border border-line bg-raised text-ink-2 hover:text-ink print:hidden",
        className,
      )}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
