/**
 * The connection of a terminal to its sandbox.
 *
 * It is independent of React: on each connection it requests the stream from its known end, and puts output in order.
 * The component gets ordered text and a state.
 */

import type { Announcer } from "../lib/announcements";
import { ReconnectingSocket, type Socket } from "../socket/reconnecting-socket";
import type { Tone } from "../ui/pill";
import { Assembler } from "./assembler";
import { fromGateway, MAIN_TERMINAL, type ToGateway } from "./messages";
import { Pacer } from "./pacer";

export type ConnectionState = "connecting" | "connected" | "waiting" | "lost" | "reconnecting" | "closed";

/** The label of each state. */
export const CONNECTION_LABELS: Record<ConnectionState, string> = {
  connecting: "connecting",
  connected: "connected",
  waiting: "waiting for sandbox",
  lost: "sandbox not running",
  reconnecting: "reconnecting",
  closed: "closed",
};

/** The color of each state. */
export const CONNECTION_TONES: Record<ConnectionState, Tone> = {
  connecting: "run",
  connected: "ok",
  waiting: "run",
  lost: "idle",
  reconnecting: "run",
  closed: "idle",
};

/** How long to wait for a missing piece of output before requesting it again, in milliseconds. */
const GAP_MS = 1_000;
/** How often to ask for an absent sandbox, in milliseconds. */
const WAITING_MS = 3_000;
/** How long a drop goes unreported, in milliseconds: a renewed connection should not be noticed. */
const QUIET_MS = 1_000;

/** How much is drawn before the page reports it again, in bytes: a third of the window that it may fill. */
const SHOWN_BYTES = 128 * 1024;
/** The same while the user types: the sandbox sends less ahead then, so that an echo is not drawn behind a flood. */
const TYPING_SHOWN_BYTES = 16 * 1024;
/**
 * How long after a key the user counts as typing, in milliseconds: longer than for the sandbox, which sends less then.
 */
const TYPING_MS = 3_000;

interface TerminalConnectionParts {
  /** The terminal's name; the main one by default. */
  terminal?: string;
  ticket: () => Promise<{ ticket: string; url: string }>;
  connect: (url: string) => Socket;
  size: () => { rows: number; cols: number };
  /** Called with output, and a callback for when it is drawn. */
  onOutput: (text: string, drawn: () => void) => void;
  onState: (state: ConnectionState, detail: string) => void;
  /** Called with a line about the connection, for the terminal itself. */
  onNotice: (text: string) => void;
  /** Called with a command of an agent that the sandbox did not type, because the shell is not at its empty prompt. */
  onNotTyped?: (command: string) => void;
  /** What this connection announces besides the terminal. */
  announcer?: Pick<Announcer, "begins" | "changed" | "ends">;
}

/** The result of sending a part of an agent's command: the sandbox refuses some, and there may be no shell. */
export type PartOutcome = "sent" | "refused" | "gone";

type Timer = "gap" | "attach" | "notice";

export class TerminalConnection {
  readonly #parts: TerminalConnectionParts;
  readonly #socket: ReconnectingSocket;
  readonly #terminal: string;
  readonly #timers = new Map<Timer, ReturnType<typeof setTimeout>>();
  #stream = new Assembler();
  readonly #keys = new Pacer((input) => this.#type(input));
  #inputs = 0;
  /** The commands of agents that the sandbox has refused since their first key. */
  readonly #refused = new Set<string>();
  /** The end of the part that was reported to the sandbox as drawn; unknown before the first output of a connection. */
  #shown: number | undefined;
  /** The end of the drawn part. */
  #drawnTo = 0;
  /** When the last key was typed. */
  #typedAt = Number.NEGATIVE_INFINITY;
  #welcomed = false;
  /** Whether the terminal shows that the connection closed. */
  #mentioned = false;
  /** Whether the terminal shows that connecting failed. */
  #troubled = false;
  #state: ConnectionState = "connecting";

  constructor(parts: TerminalConnectionParts) {
    this.#parts = parts;
    this.#terminal = parts.terminal ?? MAIN_TERMINAL;
    this.#socket = new ReconnectingSocket({
      ticket: parts.ticket,
      connect: parts.connect,
      onOpen: () => this.#opened(),
      onMessage: (data) => this.#received(data),
      onDown: () => this.#lost(),
      onTrouble: () => {
        if (!this.#troubled) parts.onNotice("Connection error. Please try again.");
        this.#troubled = true;
      },
    });
  }

  start() {
    this.#enter("connecting", "");
    this.#socket.start();
  }

  /** Closes the connection permanently. */
  close() {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#keys.clear();
    this.#socket.close();
    this.#parts.announcer?.ends();
    this.#enter("closed", "");
  }

  /** Tries again at once instead of after the current wait; used when the network returns. */
  hurry() {
    this.#socket.hurry();
  }

  /**
   * Sends typed keys. Without a connection they are dropped and this returns false: late keys do more harm than lost
   * ones.
   */
  input(text: string): boolean {
    if (this.#state !== "connected") return false;
    this.#keys.push(text);
    return true;
  }

  /**
   * Sends a part of a command that an agent types, after the text that was typed of it before. The sandbox types it
   * only if the shell's prompt holds exactly that text.
   */
  agentInput(command: string, after: string, part: string): PartOutcome {
    if (after === "") this.#refused.delete(command);
    if (this.#refused.has(command)) return "refused";
    if (this.#state !== "connected") return "gone";
    this.#keys.flush();
    this.#type(part, { command, after });
    return "sent";
  }

  /** Requests Enter after a command typed for the user: the sandbox presses it if the line holds nothing else. */
  runTyped(command: string): boolean {
    if (this.#state !== "connected") return false;
    this.#keys.flush();
    this.#type("", { run_typed: command });
    return true;
  }

  resize(rows: number, cols: number) {
    this.#send({ type: "resize", terminal: this.#terminal, rows, cols });
  }

  /** Requests the terminal again: after the shell has ended, or once the sandbox should be running. */
  attach() {
    this.#send({
      type: "attach",
      terminal: this.#terminal,
      offset: this.#stream.next,
      ...this.#parts.size(),
    });
  }

  #type(input: string, more: { run_typed?: string; command?: string; after?: string } = {}) {
    this.#typedAt = performance.now();
    this.#report(TYPING_SHOWN_BYTES);
    this.#send({ type: "input", terminal: this.#terminal, input, seq: this.#inputs, ...more });
    this.#inputs += 1;
  }

  #opened() {
    this.#inputs = 0;
    this.#shown = undefined;
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
    if (message && "terminal" in message && message.terminal !== this.#terminal) return;
    switch (message?.type) {
      case "output":
        this.#socket.settled();
        this.#output(message);
        break;
      case "status":
        if (message.announces) this.#parts.announcer?.begins();
        this.#status(message.state, message.detail);
        break;
      case "changed":
        this.#parts.announcer?.changed();
        break;
      case "exit":
        this.#parts.onNotice(`Shell ended with exit code ${message.exit_code}. Starting a new one.`);
        this.#in("attach", GAP_MS, () => this.attach());
        break;
      case "not_typed": {
        // The sandbox refuses each part that was on its way; the page hears of it once.
        const isNews = !this.#refused.has(message.command);
        this.#refused.add(message.command);
        if (isNews) this.#parts.onNotTyped?.(message.command);
        break;
      }
      case "error":
        this.#parts.onNotice(message.detail || "Error executing command");
        break;
    }
  }

  #output(piece: { offset: number; next: number; data: string }) {
    const known = this.#stream.next;
    const text = this.#stream.push(piece);
    const end = this.#stream.next;
    // The first piece of a page leads from 0 to where the kept part of the stream begins.
    this.#shown ??= known || end;
    if (text !== "") this.#parts.onOutput(text, () => this.#drawn(end));
    if (!this.#stream.waiting) this.#stop("gap");
    else if (!this.#timers.has("gap")) this.#in("gap", GAP_MS, () => this.attach());
    if (this.#state !== "connected") this.#enter("connected", "");
  }

  #drawn(offset: number) {
    this.#drawnTo = offset;
    const isTyping = performance.now() - this.#typedAt < TYPING_MS;
    this.#report(isTyping ? TYPING_SHOWN_BYTES : SHOWN_BYTES);
  }

  /**
   * Reports what is drawn to the sandbox, if it is at least this much more than it knows of. The sandbox sends only as
   * much as the page can draw.
   */
  #report(least: number) {
    if (this.#shown === undefined || this.#drawnTo - this.#shown < least) return;
    this.#shown = this.#drawnTo;
    this.#send({ type: "shown", terminal: this.#terminal, offset: this.#shown });
  }

  #status(state: "attached" | "waiting" | "lost", detail: string) {
    this.#socket.settled();
    this.#enter(state === "attached" ? "connected" : state, detail);
    if (state === "attached") this.#stop("attach");
    else this.#in("attach", WAITING_MS, () => this.attach());
  }

  #lost() {
    this.#parts.announcer?.ends();
    this.#keys.clear();
    this.#stop("gap");
    this.#stop("attach");
    if (this.#welcomed && !this.#mentioned && !this.#timers.has("notice")) {
      this.#in("notice", QUIET_MS, () => {
        this.#mentioned = true;
        this.#parts.onNotice("Connection closed.");
      });
    }
    this.#enter(this.#welcomed ? "reconnecting" : "connecting", "");
  }

  #enter(state: ConnectionState, detail: string) {
    this.#state = state;
    this.#parts.onState(state, detail);
  }

  #send(message: ToGateway) {
    this.#socket.send(message);
  }

  #in(name: Timer, milliseconds: number, then: () => void) {
    this.#stop(name);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      then();
    }, milliseconds);
    this.#timers.set(name, timer);
  }

  #stop(name: Timer) {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
