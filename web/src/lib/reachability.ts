/** Whether the server answers; if not, the shown data may be old. */
let reachable = true;
const listeners = new Set<() => void>();

function set(next: boolean) {
  if (next === reachable) return;
  reachable = next;
  for (const listener of listeners) listener();
}

export const reachability = {
  heard: () => set(true),
  /** A failed read; only one without an answer says anything about the connection. */
  failed: (error: unknown) => {
    if (error instanceof TypeError) set(false);
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  now: () => reachable,
};
