/**
 * Missing money: the balance is empty, or a project has used up its budget.
 *
 * Any call can fail because of it, so every 402 is reported here and one notice shows the remedy. Chats show it in the
 * conversation instead.
 */
import type { ErrorCode } from "./errors";
import { BUDGET_REACHED, INSUFFICIENT_CREDITS } from "./texts";

/** What is missing, by the code of the 402. */
export type Shortage = Extract<ErrorCode, "insufficient_credits" | "budget_reached">;

/** The texts for people, used if the server's own are not available. */
export const SHORTAGE_TEXTS: Record<Shortage, string> = {
  insufficient_credits: INSUFFICIENT_CREDITS,
  budget_reached: BUDGET_REACHED,
};

export function asShortage(code: ErrorCode | undefined): Shortage | undefined {
  return code === "insufficient_credits" || code === "budget_reached" ? code : undefined;
}

let current: Shortage | undefined;
const listeners = new Set<() => void>();

function set(next: Shortage | undefined) {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}

export const shortage = {
  report: (code: ErrorCode | undefined) => {
    const found = asShortage(code);
    if (found) set(found);
  },
  dismiss: () => set(undefined),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: () => current,
};
