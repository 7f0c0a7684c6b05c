import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { counted } from "../lib/text";
import { cx } from "../ui/class";
import { languageOf } from "./language";
import { gutter, Line, useTokens, wrapping } from "./lines";
import type { Heredoc, Script } from "./script";

interface ScriptViewProps {
  script: Script;
  wrap: boolean;
  /** Show only these lines, counted from 0; all by default. */
  only?: readonly number[];
}

/** The whole script; heredocs can be collapsed. */
export function ScriptView({ script, wrap, only }: ScriptViewProps) {
  const { lines, heredocs } = script;
  const tokens = useTokens(lines.join("\n"), "bash");
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const shown = only ? new Set(only) : undefined;
  const starts = new Map(heredocs.map((heredoc) => [heredoc.start, heredoc]));
  const rows: React.ReactNode[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (shown && !shown.has(at)) continue;
    const heredoc = starts.get(at);
    if (heredoc && heredoc.end > heredoc.start) {
      const closed = folded.has(at);
      rows.push(
        <Fold
          key={`fold-${at}`}
          heredoc={heredoc}
          closed={closed}
          onToggle={() => setFolded((folded) => toggled(folded, heredoc.start))}
        />,
      );
      if (!closed) rows.push(<Body key={`body-${at}`} heredoc={heredoc} lines={lines} />);
      at = heredoc.end - 1;
      continue;
    }
    rows.push(<Line key={at} number={at + 1} text={lines[at] ?? ""} tokens={tokens?.[at]} />);
  }
  return (
    <pre
      className={cx("py-1.5 font-mono text-small leading-5", wrapping(wrap))}
      style={{ "--code-gutter": gutter(lines.length) } as React.CSSProperties}
    >
      {rows}
    </pre>
  );
}

function Fold({ heredoc, closed, onToggle }: { heredoc: Heredoc; closed: boolean; onToggle: () => void }) {
  const count = heredoc.end - heredoc.start;
  const what = heredoc.file ?? "input of this command";
  return (
    <span className="code-line select-none" data-n="">
      <button
        type="button"
        aria-expanded={!closed}
        onClick={onToggle}
        className="inline-flex h-5 items-center gap-1 rounded-control font-sans text-ink-2 text-tiny hover:text-ink"
      >
        <ChevronRight
          size={12}
          aria-hidden
          className={cx("transition-transform duration-150", !closed && "rotate-90")}
        />
        {counted(count, "line")} · {what}
      </button>
    </span>
  );
}

function Body({ heredoc, lines }: { heredoc: Heredoc; lines: readonly string[] }) {
  const text = lines.slice(heredoc.start, heredoc.end).join("\n");
  const lang = heredoc.file === undefined ? "bash" : languageOf(heredoc.file, text);
  const tokens = useTokens(text, lang);
  return (
    <span className="block border-line-strong border-l-2">
      {lines.slice(heredoc.start, heredoc.end).map((line, index) => {
        const at = heredoc.start + index;
        return <Line key={at} number={at + 1} text={line} tokens={tokens?.[index]} />;
      })}
    </span>
  );
}

function toggled(set: ReadonlySet<number>, value: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
