import type { ReactNode } from "react";
import { cx } from "./class";

export type Tone = "ok" | "run" | "bad" | "signal" | "idle";

const TONES: Record<Tone, string> = {
  ok: "bg-ok-wash text-ok",
  run: "bg-run-wash text-run",
  bad: "bg-bad-wash text-bad",
  signal: "bg-signal-wash text-signal-text",
  idle: "bg-sunken text-ink-3",
};

/** A state as a dot and a word, never by color alone. */
export function Pill({ tone, live, children }: { tone: Tone; live?: boolean; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full px-2.25 py-0.5 text-small font-[550]",
        TONES[tone],
      )}
    >
      <span aria-hidden className={cx("size-1.75 rounded-full bg-current", live && "animate-breathe")} />
      {children}
    </span>
  );
}
