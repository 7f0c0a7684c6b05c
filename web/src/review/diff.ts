/** The differences between two texts, as lines with their numbers on both sides. */
import { structuredPatch } from "diff";

/** Unchanged lines around a difference. */
const CONTEXT_LINES = 3;

interface DiffLine {
  mark: "+" | "−" | undefined;
  /** Its line number in the earlier text, and in the later one. */
  before: number | undefined;
  after: number | undefined;
  text: string;
}

export interface Difference {
  /** Runs of lines that belong together; the lines between them are the same. */
  hunks: { at: number; lines: DiffLine[] }[];
  added: number;
  removed: number;
}

export function difference(before: string, after: string): Difference {
  const patch = structuredPatch("", "", before, after, "", "", { context: CONTEXT_LINES });
  let added = 0;
  let removed = 0;
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => {
    let old = oldStart;
    let now = newStart;
    const shown: DiffLine[] = [];
    for (const line of lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        shown.push({ mark: "+", before: undefined, after: now++, text });
        added += 1;
      } else if (line.startsWith("-")) {
        shown.push({ mark: "−", before: old++, after: undefined, text });
        removed += 1;
      } else if (line.startsWith(" ")) {
        shown.push({ mark: undefined, before: old++, after: now++, text });
      }
    }
    return { at: newStart, lines: shown };
  });
  return { hunks, added, removed };
}
