/**
 * Money that is missing: the balance is empty, or a project has used up its budget.
 *
 * Any call can meet it, so that every 402 is reported here and one notice says what to do. Chats say it in the
 * conversation themselves.
 */

/** Which money is missing, by the code of the 402. */
export type Shortage = "insufficient_credits" | "budget_reached";

/** What people read, wherever the server's own words are not at hand. */
export const SHORTAGE_TEXTS: Record<Shortage, string> = {
  insufficient_credits: "Insufficient credits. Add credits to continue.",
  budget_reached: "This project has reached its budget. Raise it on the costs page to continue.",
};

export function asShortage(code: string | undefined): Shortage | undefined {
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
  report: (code: string | undefined) => {
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
