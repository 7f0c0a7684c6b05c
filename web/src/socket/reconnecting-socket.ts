/**
 * A WebSocket from this page to the gateway, which lasts as long as the page needs it.
 *
 * It fetches a ticket, connects, and reconnects when the connection drops. Its user decides what to send, and what to
 * request again after a drop.
 */

/** The part of WebSocket that is used here. */
export type Socket = Pick<WebSocket, "onopen" | "onmessage" | "onclose" | "onerror" | "send" | "close">;

interface ReconnectingSocketParts {
  ticket: () => Promise<{ ticket: string; url: string }>;
  connect: (url: string) => Socket;
  onOpen: () => void;
  onMessage: (data: unknown) => void;
  /** The connection broke or failed; another attempt follows. */
  onDown: () => void;
  /** There was no ticket, or the browser reported an error. */
  onTrouble: () => void;
}

/** Waits between attempts to connect, in milliseconds; the last one repeats. */
const RETRY_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

export class ReconnectingSocket {
  readonly #parts: ReconnectingSocketParts;
  #socket: Socket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #open = false;
  #failures = 0;
  #closed = false;

  constructor(parts: ReconnectingSocketParts) {
    this.#parts = parts;
  }

  get open(): boolean {
    return this.#open;
  }

  start() {
    void this.#connect();
  }

  /** Closes the connection permanently. */
  close() {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#drop();
  }

  /** Tries again at once instead of after the current wait; used when the network returns. */
  hurry() {
    if (this.#closed || this.#open) return;
    this.#failures = 0;
    this.#again(0);
  }

  /** The connection works: after the next drop it reconnects without a wait. */
  settled() {
    this.#failures = 0;
  }

  /** Sends a message; false without a connection. */
  send(message: object): boolean {
    if (!this.#open) return false;
    this.#socket?.send(JSON.stringify(message));
    return true;
  }

  async #connect() {
    this.#drop();
    try {
      const { ticket, url } = await this.#parts.ticket();
      if (this.#closed || this.#socket) return;
      const socket = this.#parts.connect(`${url}?ticket=${encodeURIComponent(ticket)}`);
      this.#socket = socket;
      socket.onopen = () => {
        this.#open = true;
        this.#parts.onOpen();
      };
      socket.onmessage = ({ data }) => this.#parts.onMessage(data);
      socket.onerror = () => this.#parts.onTrouble();
      socket.onclose = () => this.#lost();
    } catch (error) {
      console.error("The connection to the sandbox failed", error);
      this.#parts.onTrouble();
      this.#lost();
    }
  }

  #lost() {
    this.#drop();
    if (this.#closed) return;
    this.#parts.onDown();
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#again(wait * (0.75 + Math.random() / 2));
  }

  #again(milliseconds: number) {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#connect(), milliseconds);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#open = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }
}
