/** The marks in a message that is still being typed. */
import { type Marks, type Range, UNMARKED } from "../api/drafts";

const isMarked = ({ secrets, notSecrets }: Marks) => secrets.length + notSecrets.length > 0;

export const touches = (a: Range, b: Range) => a.start < b.end && b.start < a.end;

/** The marks after the author has marked this part as secret. */
export function withSecret(marks: Marks, range: Range): Marks {
  const free = (other: Range) => !touches(other, range);
  return { secrets: [...marks.secrets.filter(free), range], notSecrets: marks.notSecrets.filter(free) };
}

/** The marks after the author has marked this part as not secret. */
export function withoutSecret(marks: Marks, range: Range): Marks {
  const free = (other: Range) => !touches(other, range);
  return { secrets: marks.secrets.filter(free), notSecrets: [...marks.notSecrets.filter(free), range] };
}

/** The marks without any for this part. */
export function unmarked(marks: Marks, range: Range): Marks {
  const free = (other: Range) => !touches(other, range);
  return { secrets: marks.secrets.filter(free), notSecrets: marks.notSecrets.filter(free) };
}

/** The marks after the text was changed: they move with their words, and are removed when those are edited. */
export function moved(marks: Marks, before: string, after: string): Marks {
  if (before === after || !isMarked(marks)) return marks;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const by = after.length - before.length;
  const shift = (ranges: readonly Range[]) =>
    ranges.flatMap(({ start, end }) => {
      if (end <= head) return [{ start, end }];
      return start >= before.length - tail ? [{ start: start + by, end: end + by }] : [];
    });
  return { secrets: shift(marks.secrets), notSecrets: shift(marks.notSecrets) };
}

/** A message as it is sent, without surrounding white space, and its marks. */
export function asSent(text: string, marks: Marks): { message: string; marks: Marks } {
  const message = text.trim();
  const lead = text.length - text.trimStart().length;
  const within = (ranges: readonly Range[]) =>
    ranges
      .map(({ start, end }) => ({
        start: Math.max(0, start - lead),
        end: Math.min(message.length, end - lead),
      }))
      .filter(({ start, end }) => start < end);
  return { message, marks: { secrets: within(marks.secrets), notSecrets: within(marks.notSecrets) } };
}

/** A draft as it was kept, or an empty one. */
export function asDraft(kept: unknown): { text: string; marks: Marks } {
  const { text, marks } = Object(kept) as { text?: unknown; marks?: Marks };
  return typeof text === "string" && marks ? { text, marks } : { text: "", marks: UNMARKED };
}
