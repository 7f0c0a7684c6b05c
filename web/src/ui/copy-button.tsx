import { Check, Copy } from "lucide-react";
import { cx } from "./class";
import { useCopy } from "./use-copy";

interface CopyButtonProps {
  /** The copied content, in a few words: "code", "the value of db_host". */
  what: string;
  text: string;
  className?: string;
}

export function CopyButton({ what, text, className }: CopyButtonProps) {
  const [outcome, copy] = useCopy(text);
  const copied = outcome === "copied";
  return (
    <button
      type="button"
      aria-label={copied ? "Copied" : `Copy ${what}`}
      onClick={copy}
      className={cx(
        "grid size-7 shrink-0 place-items-center rounded-control border border-line bg-raised text-ink-2 hover:text-ink print:hidden",
        className,
      )}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
