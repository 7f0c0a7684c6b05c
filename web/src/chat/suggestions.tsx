interface SuggestionsProps {
  /** Suggestions for the user's next message. */
  replies: readonly string[];
  onChoose: (reply: string) => void;
}

/** Replies that take one click. */
export function Suggestions({ replies, onChoose }: SuggestionsProps) {
  if (replies.length === 0) return null;
  return (
    <fieldset className="flex max-h-[35dvh] min-w-0 shrink-0 flex-wrap gap-2 overflow-y-auto px-3 pt-1 pb-2.5 tight:flex-nowrap tight:overflow-x-auto">
      <legend className="sr-only">Suggested replies</legend>
      {replies.map((reply) => (
        <button
          key={reply}
          type="button"
          title={reply}
          onClick={() => onChoose(reply)}
          className="min-h-8 max-w-full shrink-0 truncate rounded-full border tight:max-w-[85%] border-line-strong bg-raised px-3 text-ink-2 text-note transition-colors duration-150 hover:border-ink-3 hover:text-ink"
        >
          {reply}
        </button>
      ))}
    </fieldset>
  );
}
