import { FoldLine } from "../ui/fold-line";

interface ListingProps {
  summary: string;
  /** Paths, each with a note. */
  rows: { path: string; note: string }[];
}

export const SUMMARY = "w-fit font-[550] text-note";

/** A collapsible list of files; a short list starts open. */
export function Listing({ summary, rows }: ListingProps) {
  return (
    <details open={rows.length <= 12}>
      <FoldLine className={SUMMARY}>{summary}</FoldLine>
      <ul className="mt-1.5 flex flex-col gap-0.5 font-mono text-small [overflow-wrap:anywhere]">
        {rows.map(({ path, note }) => (
          <li key={path}>
            {path} <span className="font-sans text-ink-2 text-note">{note}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
