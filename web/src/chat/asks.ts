/** Questions that another part of the page puts to an agent, for its chat to send. */
import type { ThreadAgent } from "../api/planning";

interface Ask {
  projectId: number;
  agent: ThreadAgent;
  message: string;
}

let waiting: Ask | undefined;
const listeners = new Set<() => void>();

export const asks = {
  put(ask: Ask) {
    waiting = ask;
    for (const listener of listeners) listener();
  },
  /** The question for this chat, once. */
  take(projectId: number, agent: ThreadAgent): string | undefined {
    if (waiting?.projectId !== projectId || waiting.agent !== agent) return undefined;
    const { message } = waiting;
    waiting = undefined;
    return message;
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
