import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Clock3 } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { creditsKey, fetchCredits, type Transaction, transactionsQuery } from "../api/user";
import { type Outcome, outcomeOf, outcomeOfPayment, outcomeWord, paidAmount } from "../credits/outcome";
import { balance } from "../lib/money";
import { paths } from "../lib/paths";
import { Button } from "../ui/button";
import { Mark } from "../ui/mark";
import { Skeleton } from "../ui/states";

/** The delay before the balance is read, in milliseconds: booking a payment takes a moment. */
const BALANCE_DELAY_MS = 1_000;
/** How often a pending payment is looked at again, in milliseconds. */
const LOOK_MS = 2_000;
/** How long the page stays, in seconds. */
const COUNTDOWN_S = 8;

/** The state that a completed payment passes to the project list. */
interface PaidState {
  paymentSuccess: true;
}

/** The end of a checkout: the paid amount, the new balance, and a link to the projects. */
export function Component() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = params.get("payment_id");
  const status = params.get("status");
  const outcome = useOutcome(id, outcomeOf(status));
  const amount = paidAmount(params.get("amount"));
  const [delayed, setDelayed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(true), BALANCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const credits = useQuery({
    queryKey: creditsKey,
    queryFn: fetchCredits,
    enabled: delayed,
    retry: false,
    // An answer from before the booking is outdated.
    staleTime: 0,
  });
  const known = credits.isFetchedAfterMount;
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance is another one once a payment is booked.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: creditsKey });
  }, [queries, outcome.is]);
  const go = () => {
    const state: PaidState | null = outcome.is === "success" ? { paymentSuccess: true } : null;
    void navigate(paths.projects(), { replace: true, state });
  };
  const left = useCountdown(known, outcome.is, go);
  return (
    <main className="grid min-h-full place-items-center p-6">
      <title>{`${outcome.title} · Groundcrew`}</title>
      <div className="w-full max-w-md">
        <div className="mb-5 flex justify-center">
          <Mark size={34} />
        </div>
        <section className="rounded-card border border-line bg-surface p-6 shadow-[0_10px_24px_-18px_rgb(0_0_0/0.25)]">
          <Heading outcome={outcome} />
          <dl className="mt-5 border-line border-t">
            {amount !== undefined && (
              <Row name={outcome.is === "success" ? "Credits added" : "Amount"}>{balance(amount)}</Row>
            )}
            <Row name={outcome.is === "success" ? "New balance" : "Balance"}>
              {known ? (
                <strong className="font-[640]">{balance(credits.data?.credits_balance)}</strong>
              ) : (
                <span role="status">
                  <span className="sr-only">Loading your balance...</span>
                  <Skeleton className="h-5 w-20" />
                </span>
              )}
            </Row>
          </dl>
          <Details id={id} status={status && outcomeWord(outcome, status)} />
          <div className="mt-5 flex flex-wrap gap-2.5">
            <Button kind="signal" className="flex-auto" onClick={go}>
              Go to Projects
            </Button>
            <Button className="flex-auto" disabled={!known} onClick={() => void credits.refetch()}>
              Refresh Balance
            </Button>
          </div>
        </section>
        <p className="mt-4 min-h-5 text-center text-ink-2 text-note">
          {known && (
            <>
              Redirecting to your projects in <span className="font-[600] text-ink">{left}</span>{" "}
              {left === 1 ? "second" : "seconds"}
            </>
          )}
        </p>
      </div>
    </main>
  );
}

/** The outcome as the checkout returned it; one that was pending is looked at again. */
function useOutcome(id: string | null, returned: Outcome): Outcome {
  const pending = returned.is === "pending" && id !== null;
  const { data } = useInfiniteQuery({
    ...transactionsQuery(),
    enabled: pending,
    refetchInterval: (query) => (paymentIn(query.state.data?.pages, id)?.is === "pending" ? LOOK_MS : false),
  });
  return (pending && paymentIn(data?.pages, id)) || returned;
}

function paymentIn(pages: readonly { entries: Transaction[] }[] | undefined, id: string | null) {
  const payment = pages?.flatMap(({ entries }) => entries).find((entry) => entry.id === id);
  return payment && outcomeOfPayment(payment.status);
}

/** Counts down once it may start, and calls `end` at 0; it starts over when what the page shows changes. */
function useCountdown(started: boolean, shown: string, end: () => void): number {
  const [left, setLeft] = useState(COUNTDOWN_S);
  const onEnd = useEffectEvent(end);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown starts it over.
  useEffect(() => {
    if (!started) return;
    let seconds = COUNTDOWN_S;
    setLeft(seconds);
    const timer = setInterval(() => {
      seconds -= 1;
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      onEnd();
    }, 1_000);
    return () => clearInterval(timer);
  }, [started, shown]);
  return left;
}

function Heading({ outcome }: { outcome: Outcome }) {
  const [Icon, look] = {
    success: [CircleCheck, "text-ok"] as const,
    pending: [Clock3, "text-run"] as const,
    failed: [CircleAlert, "text-bad"] as const,
    cancelled: [CircleAlert, "text-ink-2"] as const,
    unknown: [CircleAlert, "text-ink-2"] as const,
  }[outcome.is];
  return (
    <div className="flex items-start gap-3">
      <Icon size={24} aria-hidden className={`mt-0.5 shrink-0 ${look}`} />
      <div>
        <h1 className="text-title">{outcome.title}</h1>
        <p className="mt-1 text-ink-2">{outcome.text}</p>
      </div>
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-line border-b">
      <dt className="text-ink-2">{name}</dt>
      <dd className="text-lead">{children}</dd>
    </div>
  );
}

function Details({ id, status }: { id: string | null; status: string | null }) {
  if (!id && !status) return null;
  return (
    <section aria-labelledby="payment-details" className="mt-4">
      <h2 id="payment-details" className="label">
        Payment details
      </h2>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-note">
        {id && (
          <>
            <dt className="text-ink-2">Payment ID</dt>
            <dd className="wrap-anywhere font-mono text-small leading-[1.6]">{id}</dd>
          </>
        )}
        {status && (
          <>
            <dt className="text-ink-2">Status</dt>
            <dd>{status}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
