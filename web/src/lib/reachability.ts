/** Whether the server answers: what is on the screen may be old when it does not. */
let reachable = true;
const listeners = new Set<() => void>();

function set(next: boolean) {
  if (next === reachable) return;
  reachable = next;
  for (const listener of listeners) listener();
}

export const reachability = {
  heard: () => set(true),
  /** A failed read; only one that got no answer at all says something about the connection. */
  failed: (error: unknown) => {
    if (error instanceof TypeError) set(false);
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: () => reachable,
};
