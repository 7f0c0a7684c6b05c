import type { ReactNode } from "react";
import { Mark } from "./mark";

/** A page with a single message. */
export function FullPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center p-6">
      <div className="flex max-w-md flex-col items-center gap-3 text-center [&>a]:mt-3 [&>button]:mt-3">
        <title>{`${title} · Groundcrew`}</title>
        <Mark size={36} />
        <h1 className="mt-2 text-title">{title}</h1>
        {children}
      </div>
    </main>
  );
}
