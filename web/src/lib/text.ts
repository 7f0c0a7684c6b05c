/**
 * A document that may have been sent as a quoted string with escaped line breaks, as plain text.
 * Text without quotes around it is returned as it is.
 */
export function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value;
  } catch {
    // Quoted by hand rather than as JSON: a real line break or a bare quote inside. The same escapes apply.
  }
  return text.slice(1, -1).replace(/\\([nrt"\\])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\n", t: "\t", '"': '"', "\\": "\\" };

/** The first `count` Unicode characters of a text: a cut between UTF-16 code units could halve one. */
export const firstCharacters = (text: string, count: number): string => [...text].slice(0, count).join("");

/** The first `count` lines of an output, and whether there were more. */
export function firstLines(text: string, count: number): { text: string; more: boolean } {
  const lines = text.replace(/\n+$/, "").split("\n");
  const more = lines.length > count;
  return { text: more ? `${lines.slice(0, count).join("\n")}\n...` : lines.join("\n"), more };
}

/** The last `count` lines of an output; empty if the whole output is no longer than that. */
export function lastLines(text: string, count: number): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  return lines.length > count ? lines.slice(-count).join("\n") : "";
}

/** A text as searches compare it: without case and without accents. */
export const searchable = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** A digest short enough to compare by eye: its first and last four digits. */
export function shortDigest(digest: string): string {
  return digest.length <= 9 ? digest : `${digest.slice(0, 4)}…${digest.slice(-4)}`;
}

/**
 * A text as a person can copy it from the page: the browser draws any white space as one space, and the two encodings
 * of an accented letter alike.
 */
export const asDrawn = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();

/** A number of things whose plural ends in `s`: `1 line`, `3 lines`. */
export const counted = (number: number, thing: string): string =>
  `${number} ${thing}${number === 1 ? "" : "s"}`;
