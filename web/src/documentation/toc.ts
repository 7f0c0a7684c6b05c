/** The headings of a Markdown text, as a table of contents. */
export interface Heading {
  /** 1 for a title, 2 for its sections, and so on. */
  depth: number;
  text: string;
  /** The heading's line in the text, counted from 1. */
  line: number;
  /** The id for links to it; unique in its text. */
  id: string;
}

/** Headings deeper than this are left out. */
const MAX_DEPTH = 3;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;

/** The headings written with number signs, down to the third level; lines of code blocks are not headings. */
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

/** A text in the form for an address: lower case, words joined by hyphens. */
export function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join("-") ?? "section";
}

function unique(id: string, used: Map<string, number>): string {
  const before = used.get(id) ?? 0;
  used.set(id, before + 1);
  return before === 0 ? id : `${id}-${before + 1}`;
}
