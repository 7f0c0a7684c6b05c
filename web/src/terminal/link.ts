/**
 * The connection of a terminal to its sandbox.
 *
 * Lives outside the page's drawing: it fetches a ticket, connects, asks for the stream from where it is known, puts
 * output in order and comes back by itself when the connection drops. Whoever draws gets text in order and a state.
 */
import { Assembler } from "./assembler";
import { fromGateway, type ToGateway } from "./messages";

export type LinkState = "connecting" | "connected" | "waiting" | "lost" | "reconnecting" | "closed";

/** What each state is called on the screen. */
export const LINK_LABELS: Record<LinkState, string> = {
  connecting: "connecting",
  connected: "connected",
  waiting: "waiting for sandbox",
  lost: "sandbox not running",
  reconnecting: "reconnecting",
  closed: "closed",
};

/** Frames hold 32 KB; text is cut well below that, since characters take up to six bytes as JSON. */
const INPUT_CHARS = 4_096;
/** How long a missing piece of output may take before it is asked for again, in milliseconds. */
const GAP_MS = 1_000;
/** Waits between attempts to connect, in milliseconds; the last one repeats. */
const RETRY_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** How often an absent sandbox is asked for again, in milliseconds. */
const WAITING_MS = 3_000;
/** How long a drop goes unmentioned: a renewed connection should not be noticed. */
const QUIET_MS = 1_000;

const TERMINAL = "main";

/** The part of a WebSocket that is used here. */
export type Socket = Pick<WebSocket, "onopen" | "onmessage" | "onclose" | "onerror" | "send" | "close">;

export interface LinkParts {
  ticket: () => Promise<{ ticket: string; url: string }>;
  connect: (url: string) => Socket;
  size: () => { rows: number; cols: number };
  onOutput: (text: string) => void;
  onState: (state: LinkState, detail: string) => void;
  /** A line about the connection, to stand in the terminal itself. */
  onNotice: (text: string) => void;
}

export class TerminalLink {
  readonly #parts: LinkParts;
  readonly #timers = new Map<"retry" | "gap" | "attach" | "notice", ReturnType<typeof setTimeout>>();
  #stream = new Assembler();
  #socket: Socket | undefined;
  #open = false;
  #inputs = 0;
  #failures = 0;
  #welcomed = false;
  /** Whether the terminal says that the connection closed. */
  #mentioned = false;
  /** Whether the terminal says that connecting failed. */
  #troubled = false;
  #closed = false;
  #state: LinkState = "connecting";

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  start() {
    this.#enter("connecting", "");
    void this.#connect();
  }

  /** Ends the connection for good. */
  close() {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#drop();
    this.#enter("closed", "");
  }

  /** Tries again at once instead of after the current wait; used when the network is back. */
  hurry() {
    if (this.#closed || this.#open) return;
    this.#failures = 0;
    this.#in("retry", 0, () => void this.#connect());
  }

  /** Sends what was typed. Without a connection it is not kept, and this is false: late keys harm more than lost ones. */
  input(text: string): boolean {
    if (this.#state !== "connected") return false;
    for (let at = 0; at < text.length; at += INPUT_CHARS) {
      const input = text.slice(at, at + INPUT_CHARS);
      this.#send({ type: "input", terminal: TERMINAL, input, seq: this.#inputs });
      this.#inputs += 1;
    }
    return true;
  }

  resize(rows: number, cols: number) {
    if (this.#open) this.#send({ type: "resize", terminal: TERMINAL, rows, cols });
  }

  /** Asks for the terminal again: after the shell has ended, or once the sandbox should be there. */
  attach() {
    if (!this.#open) return;
    this.#send({ type: "attach", terminal: TERMINAL, offset: this.#stream.next, ...this.#parts.size() });
  }

  async #connect() {
    this.#drop();
    try {
      const { ticket, url } = await this.#parts.ticket();
      if (this.#closed || this.#socket) return;
      const socket = this.#parts.connect(`${url}?ticket=${encodeURIComponent(ticket)}`);
      this.#socket = socket;
      socket.onopen = () => this.#opened();
      socket.onmessage = ({ data }) => this.#received(data);
      socket.onerror = () => {
        if (!this.#troubled) this.#parts.onNotice("Connection error. Please try again.");
        this.#troubled = true;
      };
      socket.onclose = () => this.#lost();
    } catch (error) {
      console.error("The terminal could not be connected", error);
      this.#lost();
    }
  }

  #opened() {
    this.#open = true;
    this.#inputs = 0;
    this.#stop("notice");
    if (!this.#welcomed || this.#mentioned || this.#troubled)
      this.#parts.onNotice("Connected to sandbox terminal.");
    this.#welcomed = true;
    this.#mentioned = false;
    this.#troubled = false;
    this.attach();
    const { rows, cols } = this.#parts.size();
    this.resize(rows, cols);
  }

  #received(data: unknown) {
    const message = fromGateway(data);
    switch (message?.type) {
      case "output":
        this.#failures = 0;
        this.#output(message);
        break;
      case "status":
        this.#status(message.state, message.detail);
        break;
      case "exit":
        this.#parts.onNotice(`Shell ended with exit code ${message.exit_code}. Starting a new one.`);
        this.#in("attach", GAP_MS, () => this.attach());
        break;
      case "error":
        this.#parts.onNotice(message.detail || "Error executing command");
        break;
    }
  }

  #output(piece: { offset: number; next: number; data: string }) {
    const text = this.#stream.push(piece);
    if (text !== "") this.#parts.onOutput(text);
    if (!this.#stream.waiting) this.#stop("gap");
    else if (!this.#timers.has("gap")) this.#in("gap", GAP_MS, () => this.attach());
    if (this.#state !== "connected") this.#enter("connected", "");
  }

  #status(state: "attached" | "waiting" | "lost", detail: string) {
    this.#failures = 0;
    this.#enter(state === "attached" ? "connected" : state, detail);
    if (state === "attached") this.#stop("attach");
    else this.#in("attach", WAITING_MS, () => this.attach());
  }

  #lost() {
    this.#drop();
    if (this.#closed) return;
    if (this.#welcomed && !this.#mentioned && !this.#timers.has("notice")) {
      this.#in("notice", QUIET_MS, () => {
        this.#mentioned = true;
        this.#parts.onNotice("Connection closed.");
      });
    }
    this.#enter(this.#welcomed ? "reconnecting" : "connecting", "");
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? 0;
    this.#failures += 1;
    this.#in("retry", wait * (0.75 + Math.random() / 2), () => void this.#connect());
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#open = false;
    this.#stop("gap");
    this.#stop("attach");
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }

  #enter(state: LinkState, detail: string) {
    this.#state = state;
    this.#parts.onState(state, detail);
  }

  #send(message: ToGateway) {
    this.#socket?.send(JSON.stringify(message));
  }

  #in(name: "retry" | "gap" | "attach" | "notice", milliseconds: number, then: () => void) {
    this.#stop(name);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      then();
    }, milliseconds);
    this.#timers.set(name, timer);
  }

  #stop(name: "retry" | "gap" | "attach" | "notice") {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
