import type { FilesToImport } from "../../api/repository";
import { Listing } from "../../repository/listing";
import { files, KIND, kinds, WHY } from "../../repository/words";

/** Shows the files with which a project would begin, their kinds, and what is left out. */
export function WhatIsImported({ shown }: { shown: FilesToImport }) {
  const left = shown.staying.length;
  return (
    <section
      aria-label="Files to begin with"
      className="flex flex-col gap-3 rounded-box border border-line px-4 py-3.5"
    >
      <p className="text-note [overflow-wrap:anywhere]">
        <span className="font-[550]">{kinds(shown.files)}</span>{" "}
        <span className="text-ink-2">
          from {shown.branch} at <span className="font-mono text-small">{shown.commit.slice(0, 7)}</span>
        </span>
      </p>
      <Listing
        summary={`${files(shown.files.length)} will be taken`}
        rows={shown.files.map(({ path, kind }) => ({ path, note: kind === "other" ? "" : KIND[kind] }))}
      />
      {left > 0 && (
        <Listing
          summary={`${files(left)} ${left === 1 ? "is" : "are"} left out`}
          rows={shown.staying.map(({ path, why }) => ({ path, note: WHY[why] ?? "left out" }))}
        />
      )}
    </section>
  );
}
