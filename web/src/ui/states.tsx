import { CloudOff } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { problemText } from "../api/errors";
import { useOnline } from "../lib/media";
import { reachability } from "../lib/reachability";
import { Button } from "./button";
import { cx } from "./class";

/** A gray line in place of a text that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("block animate-breathe rounded-control bg-skeleton", className)} />;
}

/** The lines of a document with two headings, by their widths. */
const LINES = [
  "w-2/5 h-4",
  "w-full h-3",
  "w-11/12 h-3",
  "w-3/4 h-3",
  "w-1/3 h-4 mt-2",
  "w-[98%] h-3",
  "w-5/6 h-3",
];

/** A document that is loading; `label` names what it waits for. */
export function DocumentSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className="flex min-h-0 flex-1 flex-col gap-3 overflow-hidden px-6.5 py-4">
      <p className="mb-1 text-ink-3 text-note">{label}</p>
      {LINES.map((line) => (
        <Skeleton key={line} className={line} />
      ))}
    </div>
  );
}

/** An empty place: what it is for, and perhaps a first action. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="m-auto flex max-w-96 flex-col items-center gap-1.5 px-6 py-10 text-center">
      <p className="font-[560] text-base">{title}</p>
      {children && <div className="text-balance text-ink-2 text-note">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}

/** A failure, what it means, and a way to try again. */
export function Failure({ title, error, retry }: { title: string; error?: unknown; retry?: () => void }) {
  return (
    <div role="alert" className="m-auto flex max-w-96 flex-col items-center gap-1.5 px-6 py-10 text-center">
      <p className="font-[560] text-bad text-base">{title}</p>
      {error !== undefined && <p className="text-ink-2 text-note">{problemText(error)}</p>}
      {retry && (
        <Button size="small" className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** An error line inside a card. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="rounded-control bg-bad-wash px-3 py-2 text-bad text-note">
      {children}
    </div>
  );
}

/** Warns that the shown data may be old. It is below everything, so that it covers nothing and moves nothing. */
export function OfflineBar() {
  const online = useOnline();
  const reachable = useSyncExternalStore(reachability.subscribe, reachability.now);
  if (online && reachable) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 animate-appear items-center justify-center gap-2 border-line-strong border-t bg-raised px-4 py-2 text-note print:hidden"
    >
      <CloudOff size={15} aria-hidden className="shrink-0" />
      {online ? "The server does not answer." : "You are offline."} What you see may be out of date; it
      updates automatically.
    </div>
  );
}
