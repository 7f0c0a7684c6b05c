import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useKeptText } from "../api/checked-draft";
import { problemText } from "../api/errors";
import { MAX_WISH_CHARS } from "../api/limits";
import { requirementsQuery } from "../api/planning";
import { Button } from "../ui/button";
import { useLimit } from "../ui/limit";
import { Problem } from "../ui/states";
import { examplesFor } from "./examples";
import { useBeginChange, wishDraft } from "./use-begin-change";

/** Asks what to change, and passes the answer to the requirements agent. */
export function ChangeForm({ projectId }: { projectId: number }) {
  const [typed, setTyped] = useKeptText(wishDraft(projectId));
  const wish = typed ?? "";
  const setWish = (wish: string) => setTyped(wish === "" ? undefined : wish);
  const id = useId();
  const begin = useBeginChange(projectId);
  const requirements = useQuery(requirementsQuery(projectId));
  const text = wish.trim();
  const limit = useLimit(text, MAX_WISH_CHARS);
  const unfit = text === "" || limit.isOver;
  return (
    <form
      className="flex flex-col gap-3 px-4.5 py-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!unfit && !begin.isPending) begin.mutate({ wish: text });
      }}
    >
      <label htmlFor={id} className="font-[560] text-lead">
        What would you like to change?
      </label>
      <textarea
        id={id}
        rows={2}
        value={wish}
        {...limit.field}
        placeholder="One request, such as another port or a new password"
        onChange={(event) => setWish(event.target.value)}
        className="w-full resize-y rounded-control border border-line-strong bg-raised px-3 py-2 text-base placeholder:text-ink-3"
      />
      {limit.note}
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Examples</legend>
        {examplesFor(requirements.data?.content).map((example) => (
          <button
            key={example}
            type="button"
            onClick={() => setWish(example)}
            className="min-h-8 rounded-full border border-line-strong bg-raised px-3 text-ink-2 text-note transition-colors duration-150 hover:border-ink-3 hover:text-ink"
          >
            {example}
          </button>
        ))}
      </fieldset>
      {begin.isError && <Problem>{problemText(begin.error)}</Problem>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-ink-2 text-small">
          The change goes through the same stages with its own plan, steps and checks. Nothing runs until you
          approve it, and your files stay.
        </p>
        <Button type="submit" kind="signal" className="ml-auto" disabled={unfit} pending={begin.isPending}>
          {begin.isPending ? "Beginning..." : "Begin change"}
        </Button>
      </div>
    </form>
  );
}
