/** The rules for a payment's amount. The server checks them again. */
import { MAX_AMOUNT } from "../api/limits";
import type { Transaction } from "../api/user";

const MIN_AMOUNT = 1;
export const QUICK_AMOUNTS = [10, 25, 50, 100];

/** The allowed text of an amount's input: digits, points and commas; other characters leave it unchanged. */
export function typedAmount(before: string, typed: string): string {
  return /^[\d.,]*$/.test(typed) ? typed : before;
}

/** Amounts whose thousands are separated, with cents behind the other sign or none. */
const WITH_COMMAS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{0,2})?$/;
const WITH_POINTS = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d{0,2}|(?:\.\d{3}){2,})$/;
const PLAIN = /^\d*[.,]?\d{0,2}$/;

/**
 * An amount as a number; NaN if there is none, or if it is not clear. A comma before one or two digits at the end is a
 * decimal comma, and before three it separates thousands.
 */
export function amountOf(text: string): number {
  if (!/\d/.test(text)) return Number.NaN;
  if (PLAIN.test(text)) return Number(text.replace(",", "."));
  if (WITH_COMMAS.test(text)) return Number(text.replaceAll(",", ""));
  if (WITH_POINTS.test(text)) return Number(text.replaceAll(".", "").replace(",", "."));
  return Number.NaN;
}

/** The reason why a typed amount cannot be read, if there is one. */
export function readingProblem(text: string): string | undefined {
  if (!/\d/.test(text) || Number.isFinite(amountOf(text))) return undefined;
  return `"${text}" is not clearly an amount in dollars and cents. Write it like 1250.50.`;
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
