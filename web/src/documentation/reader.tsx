import { Printer } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Card, CardHeader } from "../ui/card";
import { cx } from "../ui/class";
import { KeptScroll } from "../ui/kept-scroll";
import { Markdown } from "../ui/markdown";
import { Tool } from "../ui/tool";
import { SearchBox } from "./search-box";
import { type Heading, tableOfContents } from "./toc";
import { useFind } from "./use-find";

/** How many headings a document needs to get a table of contents. */
const TABLE_FROM = 3;

interface ReaderProps {
  title: string;
  text: string;
  /** Further actions. */
  tools?: ReactNode;
  /** A note to show before the document. */
  note?: ReactNode;
}

/** A long document with a table of contents and search, ready to print. */
export function Reader(props: ReaderProps) {
  // Another text is another document: its search and its hits start over.
  return <Pages key={props.text} {...props} />;
}

function Pages({ title, text, tools, note }: ReaderProps) {
  const headings = useMemo(() => tableOfContents(text), [text]);
  const find = useFind();
  return (
    <Card label={title} className="flex-1">
      <CardHeader title={title} yields={find.query !== ""}>
        <div className="flex min-w-0 flex-1 items-center justify-end gap-2">
          {tools}
          <SearchBox find={find} />
          <Tool label="Print this page" onClick={() => window.print()} className="max-narrow:hidden">
            <Printer size={16} aria-hidden />
          </Tool>
        </div>
      </CardHeader>
      <div className="flex min-h-0 flex-1">
        <KeptScroll
          label={title}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto overscroll-contain px-6.5 py-5 focus-visible:-outline-offset-2 max-narrow:px-4.5"
        >
          <div ref={find.page} className="mx-auto max-w-[46rem]">
            {note}
            <div ref={goToAnchor}>
              <Markdown text={text} headings={headings} />
            </div>
          </div>
        </KeptScroll>
        {headings.length >= TABLE_FROM && <Contents headings={headings} />}
      </div>
    </Card>
  );
}

function Contents({ headings }: { headings: Heading[] }) {
  const top = Math.min(...headings.map((heading) => heading.depth));
  return (
    <nav
      aria-label="On this page"
      className="w-60 shrink-0 overflow-y-auto border-line border-l px-4 py-5 max-wide:hidden"
    >
      <p className="label mb-2">On this page</p>
      <ul className="flex flex-col gap-0.5">
        {headings.map(({ id, depth, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={cx(
                "block rounded-control py-1 text-note leading-snug no-underline hover:text-ink",
                depth === top ? "font-[550] text-ink" : "text-ink-2",
                depth === top + 1 && "pl-3",
                depth > top + 1 && "pl-6",
              )}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls to the heading in the address once the document is loaded. */
function goToAnchor(document: HTMLElement | null) {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (id) document?.querySelector(`#${CSS.escape(id)}`)?.scrollIntoView();
}
