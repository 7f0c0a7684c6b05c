/** Whether the credits modal is open, and until when a payment may still arrive; any page can open it. */

/** How long the transactions are polled after a payment link was opened, in milliseconds. */
const AWAIT_PAYMENT_MS = 300_000;

interface ModalState {
  open: boolean;
  /** When the wait for a payment ends; 0 if there is none. */
  awaitUntil: number;
}

let state: ModalState = { open: false, awaitUntil: 0 };
const listeners = new Set<() => void>();

function set(change: Partial<ModalState>) {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

export const creditsModal = {
  open: () => set({ open: true }),
  close: () => set({ open: false }),
  /** A payment link was opened: its transaction will change. */
  awaitPayment: (now = Date.now()) => set({ awaitUntil: now + AWAIT_PAYMENT_MS }),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: () => state,
};

/** Whether a payment may still be under way. */
export const awaitsPayment = (now = Date.now()): boolean => now < state.awaitUntil;
