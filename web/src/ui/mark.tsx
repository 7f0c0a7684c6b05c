import { Link } from "react-router";
import { cx } from "./class";

/** A runway in perspective. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="24" height="24" rx="5.5" className="fill-ink" />
      <path
        d="M8.9 5.4 5 18.6M15.1 5.4 19 18.6"
        className="stroke-signal"
        strokeWidth="2.5"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M12 6v2.2M12 10.6v3M12 16v3" className="stroke-surface" strokeWidth="1.9" fill="none" />
    </svg>
  );
}

interface WordmarkProps {
  to: string;
  size?: number;
  /** In the narrowest windows only the mark is shown, not the name. */
  folds?: boolean;
}

export function Wordmark({ to, size, folds }: WordmarkProps) {
  return (
    <Link to={to} className="inline-flex items-center gap-2.5 rounded-control text-ink no-underline">
      <Mark size={size} />
      <span className={cx("wordmark text-[15.5px]", folds && "max-[420px]:sr-only")}>Groundcrew</span>
    </Link>
  );
}
