import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";

/** Leads from a page to the one above it. */
export function BackLink({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <Link
      to={to}
      className="-my-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-control text-ink-2 text-note no-underline hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden /> {children}
    </Link>
  );
}
