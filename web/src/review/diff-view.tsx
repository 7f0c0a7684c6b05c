import { cx } from "../ui/class";
import { type Difference, difference } from "./diff";
import type { Language } from "./language";
import { gutter, Line, useTokens, wrapping } from "./lines";

interface DiffViewProps {
  before: string;
  after: string;
  lang: Language | undefined;
  wrap: boolean;
}

/** Only the differences, with a few lines around them. */
export function DiffView({ before, after, lang, wrap }: DiffViewProps) {
  const { hunks } = difference(before, after);
  const old = useTokens(before, lang);
  const now = useTokens(after, lang);
  if (hunks.length === 0) return <p className="px-4 py-2 text-ink-2 text-note">Nothing differs.</p>;
  return (
    <pre className={cx("font-mono text-small leading-5", wrapping(wrap))} style={width(after)}>
      {hunks.map(({ at, lines }) => (
        <span key={at} className="block border-line border-t border-dashed first:border-t-0">
          {lines.map(({ mark, before, after, text }) => (
            <Line
              key={`${before}:${after}`}
              number={after ?? before}
              mark={mark}
              text={text}
              tokens={after === undefined ? old?.[(before ?? 0) - 1] : now?.[after - 1]}
            />
          ))}
        </span>
      ))}
    </pre>
  );
}

/** A whole text with line numbers. */
export function CodeView({
  text,
  lang,
  wrap,
  first = 1,
}: {
  text: string;
  lang: Language | undefined;
  wrap: boolean;
  first?: number;
}) {
  const shown = text.replace(/\n$/, "");
  const tokens = useTokens(shown, lang);
  return (
    <pre className={cx("font-mono text-small leading-5", wrapping(wrap))} style={width(text)}>
      {shown.split("\n").map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and nothing else tells it apart.
        <Line key={at} number={first + at} text={line} tokens={tokens?.[at]} />
      ))}
    </pre>
  );
}

/** How many lines were added and removed, for the head of a file. */
export function Counts({ difference: { added, removed } }: { difference: Difference }) {
  return (
    <span className="whitespace-nowrap font-mono text-small">
      <span className="text-ok">+{added}</span> <span className="text-bad">−{removed}</span>
    </span>
  );
}

const width = (text: string) => ({ "--code-gutter": gutter(text.split("\n").length) }) as React.CSSProperties;
