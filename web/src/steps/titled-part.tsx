import type { ReactNode } from "react";

/** One part of an open step, under a small title. */
export function TitledPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="label mb-1">{title}</p>
      {children}
    </div>
  );
}
