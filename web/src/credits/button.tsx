import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { type Credits, creditsQuery } from "../api/user";
import { creditsModal } from "../lib/credits-modal";
import { balance } from "../lib/money";
import { buttonClass } from "../ui/button";
import { cx } from "../ui/class";
import { Pill } from "../ui/pill";
import { Skeleton } from "../ui/states";

/** The balance, with a link to add credits. */
export function CreditsButton() {
  const credits = useQuery(creditsQuery());
  return (
    <button
      type="button"
      onClick={creditsModal.open}
      className="flex w-full items-center gap-3 rounded-control border border-line-strong bg-raised px-3.5 py-2 text-left transition-colors duration-150 hover:border-ink-3"
    >
      <Wallet size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="flex min-h-5 items-center justify-between gap-2 font-[600] leading-5">
          <Shown credits={credits.data} failed={credits.isError} />
          {credits.data?.low && <Pill tone="signal">{scarcity(credits.data)}</Pill>}
        </span>
        <span className="block text-ink-2 text-small">View & Add Credits</span>
      </span>
    </button>
  );
}

/** The same on one line. */
export function CompactCreditsButton() {
  const credits = useQuery(creditsQuery());
  const shown = credits.data ? balance(credits.data.credits_balance) : "Credits";
  const note = credits.data?.low ? `, ${scarcity(credits.data)}` : "";
  return (
    <button
      type="button"
      aria-label={`${shown}${note}, View & Add Credits`}
      onClick={creditsModal.open}
      className={cx(buttonClass("plain", "small"), credits.data?.low && "border-signal!")}
    >
      <Wallet size={15} aria-hidden /> {shown}
    </button>
  );
}

const scarcity = (credits: Credits) => (credits.credits_balance > 0 ? "low" : "empty");

function Shown({ credits, failed }: { credits: Credits | undefined; failed: boolean }) {
  if (credits) return balance(credits.credits_balance);
  return failed ? "Balance unavailable" : <Skeleton className="my-0.5 h-4 w-16" />;
}
