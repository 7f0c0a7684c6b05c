import { type FormEvent, useId, useState } from "react";
import { paymentProblem } from "../api/payments";
import { Alert } from "../ui/alert";
import { Button } from "../ui/button";
import { cx } from "../ui/class";
import { amountOf, amountProblem, dollars, QUICK_AMOUNTS, readingProblem, typedAmount } from "./rules";
import { type OpenedPayment, usePaid, usePayment } from "./use-payment";

/** Chooses an amount and opens its checkout page. */
export function AddCredits() {
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState<string>();
  const payment = usePayment();
  /** The payment whose alert was closed; it may still arrive. */
  const [closed, setClosed] = useState<OpenedPayment>();
  const id = useId();
  const amount = amountOf(typed);
  const problem = readingProblem(typed) ?? refused;
  const choose = (next: string) => {
    setTyped(next);
    setRefused(undefined);
  };
  usePaid(payment.data, () => {
    payment.reset();
    if (amount === payment.data?.amount) choose("");
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (payment.isPending) return;
    const found = readingProblem(typed) ?? amountProblem(amount);
    setRefused(found);
    if (!found) payment.mutate(amount);
  };
  return (
    <form onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="text-base">
        Add Credits
      </h3>
      <label htmlFor={`${id}-amount`} className="label mt-3 mb-1.5 block">
        Amount
      </label>
      <div className="flex items-center rounded-control border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-ink focus-within:outline-offset-2">
        <span aria-hidden className="pl-3 text-ink-2">
          $
        </span>
        <input
          data-first
          id={`${id}-amount`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          readOnly={payment.isPending}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-help${problem ? ` ${id}-problem` : ""}`}
          onChange={(event) => choose(typedAmount(typed, event.target.value))}
          // A disabled button ignores Enter, but the problem with the amount must be shown.
          onKeyDown={(event) => event.key === "Enter" && submit(event)}
          className="min-h-9 w-full bg-transparent px-1.5 py-1.5 outline-none read-only:text-ink-3"
        />
      </div>
      <p id={`${id}-help`} className="mt-1.5 text-ink-3 text-small">
        Minimum: $1.00 • Maximum: $10,000.00
      </p>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-bad text-small">
          {problem}
        </p>
      )}
      <fieldset className="mt-3 grid grid-cols-4 gap-2" disabled={payment.isPending}>
        <legend className="sr-only">Quick amounts</legend>
        {QUICK_AMOUNTS.map((quick) => (
          <Button
            key={quick}
            size="small"
            aria-pressed={amount === quick}
            onClick={() => choose(String(quick))}
            className={cx("tabular-nums", amount === quick && "border-ink! bg-sunken!")}
          >
            ${quick}
          </Button>
        ))}
      </fieldset>
      <Button
        kind="signal"
        type="submit"
        className="mt-3 w-full"
        disabled={!(amount > 0)}
        pending={payment.isPending}
      >
        {payment.isPending ? "Creating Link..." : `Add ${dollars(amount)} Credits`}
      </Button>
      {payment.data && payment.data !== closed && (
        <Opened {...payment.data} onClose={() => setClosed(payment.data)} />
      )}
      {payment.isError && (
        <Alert
          title="Payment could not be started"
          onClose={payment.reset}
          text={<Failed error={payment.error} />}
        />
      )}
    </form>
  );
}

/** The tab returns here, and takes the signed-in installation over from the tab that opened it. */
const OWN_TAB = { target: "_blank", rel: "opener" };

interface OpenedProps {
  amount: number;
  link: string;
  blocked: boolean;
  onClose: () => void;
}

function Opened({ amount, link, blocked, onClose }: OpenedProps) {
  if (!blocked) {
    return (
      <Alert
        title="Complete your payment"
        onClose={onClose}
        text={`Payment link opened in new tab. Complete your payment to add ${dollars(amount)} credits to your account.`}
      />
    );
  }
  return (
    <Alert
      title="Your browser blocked the new tab"
      onClose={onClose}
      text={`Open the payment page yourself to add ${dollars(amount)} credits to your account.`}
    >
      <a href={link} {...OWN_TAB} className="mt-3 inline-block rounded-control underline underline-offset-3">
        Open the payment page
      </a>
    </Alert>
  );
}

function Failed({ error }: { error: unknown }) {
  return (
    <>
      {paymentProblem(error)}
      <br />
      Please try again or contact support if the problem persists.
    </>
  );
}
