/** An entry of the transaction history in words. */
import type { Transaction } from "../api/user";
import { balance } from "../lib/money";

const TITLES: Record<Transaction["transaction_type"], string> = {
  add: "Credits added",
  use: "Usage",
  refund: "Refund",
};

type Booked = Pick<Transaction, "status" | "transaction_type">;

/** Whether it has changed the balance; otherwise its amount is only what was requested. */
export const isBooked = ({ status }: Pick<Transaction, "status">): boolean =>
  status === "completed" || status === "disputed" || status === "refunded";

export const titleOf = (entry: Booked & Pick<Transaction, "description">): string =>
  entry.description || (isBooked(entry) ? TITLES[entry.transaction_type] : "Payment");

/**
 * The amount, with the sign of what it did to the balance. It includes fractions of a cent, because usage is counted in
 * them.
 */
export function signedAmount(entry: Booked & Pick<Transaction, "amount">): string {
  const { amount, transaction_type } = entry;
  const fine = amount > 0 && Math.abs(amount * 100 - Math.round(amount * 100)) > 1e-6;
  const value = fine ? `$${amount.toFixed(4)}` : balance(amount);
  if (!isBooked(entry)) return value;
  return `${transaction_type === "add" ? "+" : "−"}${value}`;
}
