/** Shares the timeline by links that its owner can withdraw. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { problemText } from "../api/errors";
import { makeShare, type Share, sharesQuery, withdrawShare } from "../api/shares";
import { counted } from "../lib/text";
import { dayAndTime, shortDate } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import { Scroll } from "../ui/scroll";
import { Failure, Problem, Skeleton } from "../ui/states";
import { Toggle } from "../ui/toggle";

/** How long a link may last, in days. */
const LIVES = [1, 7, 30, 90];
const USUAL_DAYS = 7;

export function ShareButton({ projectId }: { projectId: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" className="print:hidden" onClick={() => setOpen(true)}>
        <Link2 size={14} aria-hidden /> Share
      </Button>
      {open && <ShareDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({ projectId, onClose }: { projectId: number; onClose: () => void }) {
  const make = useMakeLink(projectId);
  return (
    <Dialog
      title="Share this timeline"
      description="Anyone who has the link can read this timeline and the documents, and nothing else."
      onClose={onClose}
    >
      <Scroll
        label="Links to this timeline"
        className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-3 pb-5"
      >
        <NewLink make={make} />
        <Links projectId={projectId} onWithdrawn={(id) => make.data?.share.id === id && make.reset()} />
      </Scroll>
    </Dialog>
  );
}

/** Creates a link; the result is its only copy of the address. */
function useMakeLink(projectId: number) {
  const queries = useQueryClient();
  return useOnce({
    mutationFn: (wish: Parameters<typeof makeShare>[1]) => makeShare(projectId, wish),
    onSuccess: () => queries.invalidateQueries({ queryKey: sharesQuery(projectId).queryKey }),
    onError: (error) => console.error("The link could not be created", error),
  });
}

function NewLink({ make }: { make: ReturnType<typeof useMakeLink> }) {
  const id = useId();
  const [days, setDays] = useState(USUAL_DAYS);
  const [withOutput, setWithOutput] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate({ days, with_output: withOutput });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <label htmlFor={id} className="text-ink-2 text-note">
          Lasts
        </label>
        <select
          id={id}
          data-first
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
          className="-ml-2 min-h-8 rounded-control border border-line-strong bg-raised px-2 text-note"
        >
          {LIVES.map((life) => (
            <option key={life} value={life}>
              {counted(life, "day")}
            </option>
          ))}
        </select>
        <Toggle label="Include output" on={withOutput} onChange={setWithOutput} />
        <Button type="submit" kind="signal" size="small" className="ml-auto" pending={make.isPending}>
          {make.isPending ? "Creating..." : "Create a link"}
        </Button>
      </div>
      {make.isError && <Problem>The link could not be created. {problemText(make.error)}</Problem>}
      <div role="status">{make.data && <Made url={make.data.url} />}</div>
    </form>
  );
}

/** The address of a new link, which is shown only once. */
function Made({ url }: { url: string }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <input
          id={id}
          aria-label="Address of the new link"
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
          className="min-h-8 min-w-0 flex-1 rounded-control border border-line-strong bg-sunken px-2 font-mono text-small"
        />
        <CopyButton what="the link" text={url} />
      </div>
      <p className="text-ink-2 text-note">Copy it now: it is not shown again.</p>
    </div>
  );
}

interface LinksProps {
  projectId: number;
  onWithdrawn: (id: string) => void;
}

function Links({ projectId, onWithdrawn }: LinksProps) {
  const queries = useQueryClient();
  const shares = useQuery(sharesQuery(projectId));
  const title = useRef<HTMLHeadingElement>(null);
  const withdraw = useOnce({
    mutationFn: (share: Share) => withdrawShare(projectId, share.id),
    onSuccess: (_, { id }) => onWithdrawn(id),
    onError: (error) => console.error("The link could not be withdrawn", error),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: sharesQuery(projectId).queryKey });
      // The button is gone with its link; the keyboard continues from the list.
      title.current?.focus();
    },
  });
  return (
    <section aria-labelledby="links" className="border-line border-t pt-3">
      <h3 id="links" ref={title} tabIndex={-1} className="font-[560] outline-none">
        Links
      </h3>
      {withdraw.isError && <Problem>The link could not be withdrawn. {problemText(withdraw.error)}</Problem>}
      {shares.isPending && <Skeleton className="mt-3 h-3 w-2/5" />}
      {shares.isError && !shares.data && (
        <Failure
          title="The links could not be listed"
          error={shares.error}
          retry={() => void shares.refetch()}
        />
      )}
      {shares.data?.length === 0 && <p className="mt-1 text-ink-2 text-note">This timeline is not shared.</p>}
      <ul>
        {shares.data?.map((share) => (
          <Line
            key={share.id}
            share={share}
            busy={withdraw.isPending && withdraw.variables.id === share.id}
            onWithdraw={() => withdraw.mutate(share)}
          />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  share: Share;
  busy: boolean;
  onWithdraw: () => void;
}

function Line({ share, busy, onWithdraw }: LineProps) {
  const made = dayAndTime(share.made_at);
  return (
    <li className="flex min-h-14 items-center gap-4 border-line border-b py-2 last:border-0">
      <div className="min-w-0 flex-1">
        <p>
          Until {shortDate(share.ends_at)}, {share.with_output ? "with output" : "without output"}
        </p>
        <p className="text-ink-2 text-note">
          Made by @{share.by.login} ·{" "}
          {share.last_used_at ? `Last used ${dayAndTime(share.last_used_at)}` : "Never used"}
        </p>
      </div>
      <Button
        kind="danger"
        size="small"
        pending={busy}
        aria-label={`${busy ? "Withdrawing..." : "Withdraw"} the link of ${made}`}
        onClick={onWithdraw}
      >
        {busy ? "Withdrawing..." : "Withdraw"}
      </Button>
    </li>
  );
}
