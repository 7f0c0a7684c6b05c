/** Messages that other parts of the page prepare, for an agent's chat to send. */
import type { ThreadAgent } from "../api/planning";

interface PreparedMessage {
  projectId: number;
  agent: ThreadAgent;
  message: string;
}

let waiting: PreparedMessage | undefined;
const listeners = new Set<() => void>();

export const preparedMessages = {
  put(message: PreparedMessage) {
    waiting = message;
    for (const listener of listeners) listener();
  },
  /** Takes the message for this chat; later calls return nothing. */
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
