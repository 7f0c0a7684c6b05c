import { memo, type ReactNode, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CopyButton } from "./copy-button";
import { isFlow } from "./flow";
import { Flow } from "./flow-diagram";
import { Scroll } from "./scroll";

/** The server shows only the name of a secret; the page sets it apart from typed text. */
export const SECRET = /\{\{(secret:[A-Z0-9_]+)\}\}/g;

/** A word that may be wider than a column of a table. */
const LONG_WORD = /\S{40}/;

interface MarkdownProps {
  text: string;
  /** The headings with link targets, by line number. */
  headings?: readonly { line: number; id: string }[] | undefined;
}

/**
 * Markdown as the agents write it. Links follow react-markdown's own rule: http, https, irc, ircs, mailto, xmpp and
 * relative ones; HTML is shown as text. The surrounding page has a title, so a document's headings are drawn one level
 * lower.
 */
export const Markdown = memo(function Markdown({ text, headings }: MarkdownProps) {
  const drawn = useMemo(() => ({ ...components, ...lowered(headings ?? []) }), [headings]);
  return (
    <div className="prose-crew lowered">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={drawn}>
        {text.replace(SECRET, "`$1`")}
      </ReactMarkdown>
    </div>
  );
});

const components: Components = {
  // A link with a forbidden protocol leads nowhere, and does not look like a link.
  a: ({ node: _, children, href, ...rest }) =>
    href ? (
      <a {...rest} href={href} {...(href.startsWith("#") ? {} : { target: "_blank", rel: "noreferrer" })}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Pictures from elsewhere are not loaded; their descriptions replace them.
  img: ({ alt }) => (alt ? <span className="text-ink-2">[{alt}]</span> : null),
  table: ({ node: _, ...rest }) => (
    <Scroll label="Table" className="overflow-x-auto">
      <table {...rest} />
    </Scroll>
  ),
  td: ({ node, ...rest }) => (
    <td {...rest} {...(LONG_WORD.test(textOf(node)) && { className: "long-word" })} />
  ),
  code: ({ node: _, className, children, ...rest }) => {
    const secret = typeof children === "string" && children.startsWith("secret:");
    return (
      <code {...rest} className={secret ? "secret" : className}>
        {children}
      </code>
    );
  },
  pre: ({ node, children }) => <CodeBlock code={textOf(node)}>{children}</CodeBlock>,
};

const LOWER = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6", h6: "h6" } as const;

/** Headings one level down, with an id if a table of contents links to them. */
function lowered(headings: readonly { line: number; id: string }[]): Components {
  const ids = new Map(headings.map(({ line, id }) => [line, id]));
  const heading =
    (Level: (typeof LOWER)[keyof typeof LOWER]): Components["h1"] =>
    ({ node, children }) => {
      const line = node?.position?.start.line;
      return <Level id={line === undefined ? undefined : ids.get(line)}>{children}</Level>;
    };
  const { h1, h2, h3, h4, h5, h6 } = LOWER;
  return {
    h1: heading(h1),
    h2: heading(h2),
    h3: heading(h3),
    h4: heading(h4),
    h5: heading(h5),
    h6: heading(h6),
  };
}

function textOf(node: unknown): string {
  const value: unknown = Reflect.get(Object(node), "value");
  if (typeof value === "string") return value;
  const children: unknown = Reflect.get(Object(node), "children");
  return Array.isArray(children) ? children.map(textOf).join("") : "";
}

function CodeBlock({ code, children }: { code: string; children: ReactNode }) {
  if (isFlow(code)) return <Flow text={code} />;
  return (
    <div className="group relative">
      <Scroll label="Code" className="code overflow-x-auto">
        <pre>{children}</pre>
      </Scroll>
      <CopyButton
        what="code"
        text={code.replace(/\n$/, "")}
        className="absolute top-1.25 right-1.25 opacity-0 transition-opacity duration-150 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}
