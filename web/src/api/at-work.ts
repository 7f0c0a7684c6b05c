/**
 * Whether an agent is at work that may type into the terminal: it answers in this tab or in another of this browser.
 *
 * What an agent does reaches the terminal a moment after its words, so it counts as being at work a little longer.
 */

/** How much longer, in milliseconds. */
const AFTERWARDS_MS = 15_000;
/** How often the other tabs hear of it, in milliseconds. */
const TELL_MS = 5_000;

let until = 0;
let reported = 0;
const waiting = new Set<() => void>();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("groundcrew:at-work") : undefined;
channel?.addEventListener("message", () => begin());

function begin() {
  until = Date.now() + AFTERWARDS_MS;
  for (const wake of waiting) wake();
  waiting.clear();
}

/** An agent has said something, or is about to. */
export function agentIsAtWork() {
  begin();
  if (Date.now() - reported < TELL_MS) return;
  reported = Date.now();
  channel?.postMessage("");
}

export const agentAtWork = () => Date.now() < until;

/** Waits until an agent says something, for so many milliseconds at most. */
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
