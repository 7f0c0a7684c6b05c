/**
 * Whether an agent that may type into the terminal is working: it is answering in this tab or in another one of this
 * browser.
 *
 * An agent's commands reach the terminal a moment after its words, so it counts as working a little longer.
 */

/** How much longer, in milliseconds. */
const AFTERWARD_MS = 15_000;
/** How often the other tabs are notified, in milliseconds. */
const TELL_MS = 5_000;

let until = 0;
let reported = 0;
const waiting = new Set<() => void>();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("groundcrew:at-work") : undefined;
channel?.addEventListener("message", () => begin());

function begin() {
  until = Date.now() + AFTERWARD_MS;
  for (const wake of waiting) wake();
  waiting.clear();
}

/** Records that an agent has said something, or is about to. */
export function agentIsAtWork() {
  begin();
  if (Date.now() - reported < TELL_MS) return;
  reported = Date.now();
  channel?.postMessage("");
}

export const agentAtWork = () => Date.now() < until;

/** Waits until an agent says something, for at most this many milliseconds. */
export function waitForAgent(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
