import { numbered } from "../lib/numbered";

/** One line of text with code between backticks. */
export function InlineCode({ text }: { text: string }) {
  return numbered(text.split(/`([^`]+)`/)).map(({ key, item }) =>
    Number(key) % 2 === 1 ? (
      <code key={key} className="rounded-[4px] bg-sunken px-1 py-px font-mono text-[0.92em]">
        {item}
      </code>
    ) : (
      item
    ),
  );
}
