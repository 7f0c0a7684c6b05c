/** The rules for a payment's amount. The server checks them again. */
import { MAX_AMOUNT } from "../api/limits";
import type { Transaction } from "../api/user";

const MIN_AMOUNT = 1;
export const QUICK_AMOUNTS = [10, 25, 50, 100];

/**
 * The allowed text of an amount's input: digits and at most one decimal point, which may be typed as a comma; other
 * characters leave it unchanged.
 */
export function typedAmount(before: string, typed: string): string {
  const text = typed.replaceAll(",", ".");
  return /^\d*\.?\d*$/.test(text) ? text : before;
}

/** An amount as a number; NaN if there is none, or if it has fractions of a cent: "1,250" may mean a thousand. */
export function amountOf(text: string): number {
  return /\d/.test(text) && /^\d*\.?\d{0,2}$/.test(text) ? Number(text) : Number.NaN;
}

/** The reason why a typed amount cannot be read, if there is one. */
export function readingProblem(text: string): string | undefined {
  if (!/\d/.test(text) || Number.isFinite(amountOf(text))) return undefined;
  return "Please enter dollars and cents, like 1250.50, without a sign between the thousands";
}

/** The problem with an amount, if any. */
export function amountProblem(amount: number): string | undefined {
  if (!Number.isFinite(amount) || amount <= 0) return "Please enter a valid amount greater than $0";
  if (amount < MIN_AMOUNT) return "Minimum amount is $1";
  if (amount > MAX_AMOUNT) return "Maximum amount is $10,000";
  return undefined;
}

interface Wanted {
  amount: number;
  before: ReadonlySet<string> | undefined;
}

/** Whether a payment has arrived: it is completed, has this amount and is newer than the entries `before` it. */
export function isPaid(entries: readonly Transaction[], { amount, before }: Wanted): boolean {
  if (!before) return false;
  const known = entries.findIndex(({ id }) => before.has(id));
  return entries
    .slice(0, known < 0 ? undefined : known)
    .some(
      (entry) => entry.transaction_type === "add" && entry.status === "completed" && entry.amount === amount,
    );
}

/** Whole cents: nothing smaller can be paid. */
export const inCents = (amount: number): number => Math.round(amount * 100) / 100;

/** An amount in its shortest form: `$25`, `$25.50`. */
export function dollars(amount: number): string {
  const cents = inCents(Number.isFinite(amount) ? amount : 0);
  return `$${Number.isInteger(cents) ? String(cents) : cents.toFixed(2)}`;
}
