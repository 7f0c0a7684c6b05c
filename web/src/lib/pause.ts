/** Waits this long; fails once `signal` has ended, be it before the wait or during it. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      // The signal outlives the wait, and with it everything that listens to it.
      signal.removeEventListener("abort", ended);
      resolve();
    }, milliseconds);
    if (signal.aborted) ended();
    else signal.addEventListener("abort", ended, { once: true });
  });
}
