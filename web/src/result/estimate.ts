import { tableOfContents } from "../documentation/toc";

/** A heading for costs, in the words that plans use. */
const COSTS = /\b(?:costs?|pricing|budget)\b/i;

/** The first section about costs in a plan, without its heading; undefined if there is none. */
export function costsIn(plan: string): string | undefined {
  const headings = tableOfContents(plan);
  const at = headings.findIndex(({ text, depth }) => depth > 1 && COSTS.test(text));
  const heading = headings[at];
  if (!heading) return undefined;
  const next = headings.slice(at + 1).find(({ depth }) => depth <= heading.depth);
  const section = plan
    .split("\n")
    .slice(heading.line, next ? next.line - 1 : undefined)
    .join("\n")
    .trim();
  return section || undefined;
}
