import { type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./class";

const TONES = {
  ok: { box: "bg-ok-wash text-ok", icon: "" },
  signal: { box: "bg-signal-wash text-ink", icon: "text-signal" },
};

interface BannerProps {
  tone: keyof typeof TONES;
  icon: LucideIcon;
  /** Whether it interrupts a screen reader. */
  urgent?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A message above a page that its reader can close. */
export function Banner({ tone, icon: Icon, urgent, onClose, children }: BannerProps) {
  return (
    <div
      role={urgent ? "alert" : "status"}
      className={cx(
        "mb-5 flex animate-appear items-center gap-2.5 rounded-box py-2 pr-2 pl-4",
        TONES[tone].box,
      )}
    >
      <Icon size={17} aria-hidden className={cx("shrink-0", TONES[tone].icon)} />
      <p className="flex-1">{children}</p>
      <button
        type="button"
        aria-label="Close message"
        onClick={onClose}
        className="grid size-8 shrink-0 place-items-center rounded-control hover:bg-surface"
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
