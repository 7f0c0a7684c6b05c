/** How a payment ended, according to the checkout's return address or to the history. */
import type { TransactionStatus } from "../api/user";

export interface Outcome {
  is: "success" | "pending" | "failed" | "cancelled" | "unknown";
  title: string;
  text: string;
}

const OUTCOMES: Record<Outcome["is"], Omit<Outcome, "is">> = {
  success: {
    title: "Payment successful",
    text: "Your credits are added as soon as the payment is booked. This usually takes a few seconds.",
  },
  pending: {
    title: "Payment pending",
    text: "Your bank is still working on it. Credits are added automatically once it clears.",
  },
  failed: { title: "Payment failed", text: "Nothing was charged and no credits were added." },
  cancelled: { title: "Payment canceled", text: "You left the checkout. Nothing was charged." },
  unknown: {
    title: "Payment not confirmed",
    text: "We cannot tell from here how it ended. Your transaction history has the answer.",
  },
};

export function outcomeOf(status: string | null): Outcome {
  const is = status !== null && Object.hasOwn(OUTCOMES, status) ? (status as Outcome["is"]) : "unknown";
  return { is, ...OUTCOMES[is] };
}

const BOOKED: Record<TransactionStatus, Outcome["is"]> = {
  pending: "pending",
  completed: "success",
  disputed: "success",
  refunded: "success",
  failed: "failed",
  expired: "failed",
};

/** The outcome of a payment with this status in the history. */
export const outcomeOfPayment = (status: TransactionStatus): Outcome => outcomeOf(BOOKED[status]);

/** The outcome as a word, for people; an unknown one as it is given. */
export const outcomeWord = ({ is }: Outcome, given: string): string => {
  if (is === "unknown") return given;
  return is === "cancelled" ? "canceled" : is;
};

/** The amount in the address, if there is one. */
export function paidAmount(text: string | null): number | undefined {
  const amount = Number.parseFloat(text ?? "");
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}
