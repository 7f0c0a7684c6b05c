/**
 * The answers of a terminal to its programs' queries, which xterm sends as if the user had typed them.
 *
 * Only one page may answer a query, and only once: each further answer is typed into the shell. A stream that is shown
 * again contains the queries of programs that are long gone.
 */
import type { Terminal } from "@xterm/xterm";

/** How long a replayed stream must be silent to count as complete, in milliseconds. */
const REPLAY_PAUSE_MS = 250;
/** How long after its event a key may be sent, in milliseconds: that of a composition comes late. */
const EVENT_MS = 50;

type Locks = Pick<LockManager, "request">;

/** Whether this page answers: of the pages of one browser, the one in which the user typed last. */
export class Turn {
  readonly #name: string;
  readonly #locks: Locks | undefined;
  #free: (() => void) | undefined;

  constructor(name: string, locks: Locks | undefined = globalThis.navigator?.locks) {
    this.#name = name;
    this.#locks = locks;
  }

  get isMine(): boolean {
    return this.#free !== undefined;
  }

  /** Takes the turn from any other page; without locks, which only a secure page has, each page keeps its own. */
  take() {
    if (this.#free) return;
    const over = new Promise<void>((free) => {
      this.#free = free;
    });
    void this.#locks
      ?.request(this.#name, { steal: true }, () => over)
      // Another page has taken it.
      .catch(() => {
        this.#free = undefined;
      });
  }

  release() {
    this.#free?.();
    this.#free = undefined;
  }
}

/** Says whether the user has just typed, pasted or dropped something there. */
export function typingIn(element: Pick<EventTarget, "addEventListener">): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  const typed = () => {
    last = performance.now();
  };
  for (const kind of ["keydown", "keypress", "input", "compositionend", "paste", "drop"]) {
    element.addEventListener(kind, typed, { capture: true });
  }
  return () => performance.now() - last < EVENT_MS;
}

interface Answers {
  /** Draws text and then calls `drawn`. */
  write: (text: string, drawn?: () => void) => void;
  /** Marks the following text as shown before, until it pauses. */
  replaying: () => void;
}

/**
 * Passes on what the user types, and those answers of the terminal that its programs still wait for.
 *
 * The terminal draws a long text in slices, so a key may come while it reads: `isTyping` tells it from an answer.
 */
export function passOn(
  terminal: Pick<Terminal, "write" | "onData">,
  turn: Pick<Turn, "isMine" | "take">,
  input: (text: string) => void,
  isTyping: () => boolean,
): Answers {
  /** When the replay ends; it does not before its first text has come. */
  let replayUntil = Number.NEGATIVE_INFINITY;
  /** The kind of text that the terminal reads at this moment: whatever it sends meanwhile is an answer. */
  let reading: "none" | "replay" | "live" = "none";
  terminal.onData((text) => {
    const typed = reading === "none" || isTyping();
    if (typed) turn.take();
    if (typed || (reading === "live" && turn.isMine)) input(text);
  });
  return {
    write: (text, drawn) => {
      const isReplay = performance.now() < replayUntil;
      if (isReplay) replayUntil = performance.now() + REPLAY_PAUSE_MS;
      terminal.write("", () => {
        reading = isReplay ? "replay" : "live";
      });
      terminal.write(text, () => {
        reading = "none";
        drawn?.();
      });
    },
    replaying: () => {
      replayUntil = Number.POSITIVE_INFINITY;
    },
  };
}
