/** The headings of a markdown text, as a table of contents. */
export interface Heading {
  /** 1 for a title, 2 for its sections, and so on. */
  depth: number;
  text: string;
  /** Where the heading stands in the text; the first line is 1. */
  line: number;
  /** What links to it name; unique in its text. */
  id: string;
}

/** Deeper headings than this stay out of the table. */
const MAX_DEPTH = 3;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;

/** The headings written with number signs, down to the third level; a line of code is not a heading. */
export function tableOfContents(markdown: string): Heading[] {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  let fence: string | undefined;
  for (const [index, row] of markdown.split("\n").entries()) {
    const mark = FENCE.exec(row)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && row.trim() === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const [, signs = "", words = ""] = ATX.exec(row) ?? [];
    if (signs === "" || signs.length > MAX_DEPTH) continue;
    const text = plain(words);
    headings.push({ depth: signs.length, text, line: index + 1, id: unique(slug(text), used) });
  }
  return headings;
}

/** A heading without its markup. */
function plain(words: string): string {
  return words
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}

/** A text as it stands in an address: lower case, words joined by hyphens. */
export function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join("-") ?? "section";
}

function unique(id: string, used: Map<string, number>): string {
  const before = used.get(id) ?? 0;
  used.set(id, before + 1);
  return before === 0 ? id : `${id}-${before + 1}`;
}
