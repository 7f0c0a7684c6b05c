import { useCallback, useState } from "react";
import { useMedia } from "../lib/media";
import { counted } from "../lib/text";
import { Button } from "../ui/button";
import { Scroll } from "../ui/scroll";
import { gutter, LINE_PX, Line, useTokens } from "./lines";

/**
 * How many lines the card shows: of a command that waits, in a high and in a low window, and of one that is decided.
 */
const WAITING_LINES = 14;
const LOW_WAITING_LINES = 9;
const DECIDED_LINES = 6;
/** A window in which a command of all these lines leaves room for the buttons below it. */
const HIGH = "(min-height: 820px)";
/** The space above the first line, in pixels. */
const PADDING_PX = 8;

interface CommandExcerptProps {
  label: string;
  text: string;
  waiting: boolean;
  onReview: () => void;
}

/** A command in its card: its first lines, the total number, and a link to all of them. */
export function CommandExcerpt({ label, text, waiting, onReview }: CommandExcerptProps) {
  const lines = text.split(/(?<=\n)/);
  const high = useMedia(HIGH);
  const most = waiting ? (high ? WAITING_LINES : LOW_WAITING_LINES) : DECIDED_LINES;
  const cut = lines.length > most;
  const [seen, setSeen] = useState(most);
  const tokens = useTokens(text.replace(/\n$/, ""), "bash");
  const look = useCallback((event: React.UIEvent<HTMLElement>) => {
    const { scrollTop, clientHeight } = event.currentTarget;
    setSeen((seen) => Math.max(seen, Math.floor((scrollTop + clientHeight - PADDING_PX) / LINE_PX)));
  }, []);
  return (
    <div className="overflow-hidden rounded-control border border-line-strong/70 bg-sunken">
      <Scroll
        label={label}
        className="overflow-auto overscroll-contain focus-visible:-outline-offset-2"
        style={{ maxHeight: cut ? most * LINE_PX + PADDING_PX : undefined }}
        onScroll={look}
      >
        <pre
          className="w-max min-w-full pt-2 font-mono text-small leading-5"
          style={
            {
              "--code-gutter": gutter(lines.length),
              paddingBottom: cut ? 0 : PADDING_PX,
            } as React.CSSProperties
          }
        >
          {lines.map((line, at) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, and nothing else tells it apart.
              key={at}
              number={at + 1}
              text={line.replace(/\n$/, "")}
              tokens={tokens?.[at]}
              ends={line.endsWith("\n")}
            />
          ))}
        </pre>
      </Scroll>
      <div className="flex min-h-10 items-center justify-between gap-3 border-line border-t bg-surface py-1 pr-1 pl-3 text-ink-2 text-small">
        <span>
          {cut ? `${Math.min(seen, lines.length)} of ${lines.length} lines` : counted(lines.length, "line")}
        </span>
        <Button size="small" kind={waiting && cut ? "plain" : "quiet"} onClick={onReview}>
          {waiting ? "Review" : "Read it all"}
        </Button>
      </div>
    </div>
  );
}
