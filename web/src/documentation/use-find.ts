import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { findIn, type Hit } from "./find";

/** The names by which the style sheet refers to all hits and to the current one. */
const FOUND = "found";
const FOUND_HERE = "found-here";

/**
 * Searches the content of an element, which must stay the same while it is mounted: marks every hit without changing
 * the page's nodes, and moves from one to the next.
 */
export function useFind() {
  const page = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [ranges, setRanges] = useState<Range[]>([]);

  const search = useCallback((query: string) => {
    setQuery(query);
    setRanges(page.current ? rangesOf(page.current, query) : []);
    setAt(0);
  }, []);

  const here = ranges[at];
  useEffect(() => {
    mark(FOUND, ranges);
    mark(FOUND_HERE, here ? [here] : []);
    here?.startContainer.parentElement?.scrollIntoView({ block: "center" });
    return () => {
      mark(FOUND, []);
      mark(FOUND_HERE, []);
    };
  }, [ranges, here]);

  const count = ranges.length;
  return useMemo(
    () => ({
      page,
      query,
      setQuery: search,
      count,
      /** The number of the current hit, from 1; 0 if there is none. */
      at: count === 0 ? 0 : at + 1,
      move: (by: 1 | -1) => count > 0 && setAt((at) => (at + by + count) % count),
    }),
    [query, search, count, at],
  );
}

function rangesOf(element: HTMLElement, query: string): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
  const hits = findIn(
    nodes.map((node) => node.data),
    query,
  );
  return hits.flatMap((hit) => rangeOf(nodes, hit) ?? []);
}

function rangeOf(nodes: Text[], { start, end }: Hit): Range | undefined {
  const [first, last] = [nodes[start.piece], nodes[end.piece]];
  if (!first || !last) return undefined;
  const range = new Range();
  range.setStart(first, start.offset);
  range.setEnd(last, end.offset);
  return range;
}

/** Browsers without highlights still move from hit to hit. */
function mark(name: string, ranges: Range[]) {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
