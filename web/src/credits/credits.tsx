import { useQuery } from "@tanstack/react-query";
import { creditsQuery } from "../api/user";
import { creditsModal } from "../lib/credits-modal";
import { balance } from "../lib/money";
import { Dialog } from "../ui/dialog";
import { Pill } from "../ui/pill";
import { Skeleton } from "../ui/states";
import { AddCredits } from "./add";
import { TransactionHistory } from "./history";

/** The balance, a form to add credits, and the history. */
export default function Credits() {
  return (
    <Dialog title="Credits Management" wide onClose={creditsModal.close}>
      <div className="grid min-h-0 grid-cols-[19rem_minmax(0,1fr)] gap-x-8 gap-y-6 overflow-y-auto px-5 pt-3 pb-5 max-narrow:grid-cols-1">
        <div className="flex flex-col gap-6">
          <CurrentBalance />
          <AddCredits />
          <About />
        </div>
        <TransactionHistory />
      </div>
    </Dialog>
  );
}

function CurrentBalance() {
  const credits = useQuery(creditsQuery());
  const held = credits.data?.held ?? 0;
  return (
    <section aria-label="Current Balance" className="rounded-box border border-line bg-sunken px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="label">Current Balance</h3>
        {credits.data?.low && (
          <Pill tone="signal">{credits.data.credits_balance > 0 ? "running low" : "empty"}</Pill>
        )}
      </div>
      <p aria-live="polite" className="mt-0.5 font-[640] font-display text-[28px] leading-tight">
        {credits.data
          ? balance(credits.data.credits_balance)
          : !credits.isError && <Skeleton className="my-1 h-7 w-28 bg-line" />}
      </p>
      {credits.isError && !credits.data && (
        <p role="alert" className="text-bad text-small">
          The balance could not be read.
        </p>
      )}
      {held > 0 && (
        <p className="mt-1 text-ink-2 text-small">{balance(held)} of it is held for active model calls.</p>
      )}
    </section>
  );
}

const BULLETS = [
  "Credits are used to pay for infrastructure deployment and management",
  "1 credit = $1 USD",
  "Credits never expire",
  "Payments are processed securely by Stripe",
  "Credits are automatically added after successful payment",
];

function About() {
  return (
    <section aria-labelledby="about-credits">
      <h3 id="about-credits" className="text-base">
        About Credits
      </h3>
      <ul className="mt-1.5 list-disc pl-4.5 text-ink-2 text-note marker:text-ink-3">
        {BULLETS.map((bullet) => (
          <li key={bullet} className="py-0.5">
            {bullet}
          </li>
        ))}
      </ul>
    </section>
  );
}
