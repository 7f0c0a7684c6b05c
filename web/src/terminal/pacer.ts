/**
 * Sends typed keys: the first one at once, and those that follow within a tick together.
 *
 * Each message is an invocation at the gateway, any of which may be slow, and the sandbox buffers only a limited number
 * of messages that overtook a slow one. So held keys, pasted text and other input faster than a tick are sent in few
 * messages instead of one per key; a person's typing is not delayed.
 */

/** The time between two messages, in milliseconds: a frame of the screen, so it does not delay the echo. */
export const TICK_MS = 16;
/**
 * The longest message. Frames hold 32 KB; text is cut well below that, because a character takes up to six bytes as
 * JSON.
 */
export const INPUT_CHARS = 4_096;

export class Pacer {
  readonly #send: (text: string) => void;
  #waiting = "";
  #tick: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  push(text: string) {
    this.#waiting += text;
    if (this.#tick === undefined) this.#next();
  }

  /** Sends the waiting input at once. */
  flush() {
    clearTimeout(this.#tick);
    this.#tick = undefined;
    while (this.#waiting !== "") {
      const end = pieceEnd(this.#waiting);
      this.#send(this.#waiting.slice(0, end));
      this.#waiting = this.#waiting.slice(end);
    }
  }

  /** Discards the waiting input. */
  clear() {
    clearTimeout(this.#tick);
    this.#tick = undefined;
    this.#waiting = "";
  }

  #next() {
    this.#tick = undefined;
    if (this.#waiting === "") return;
    const end = pieceEnd(this.#waiting);
    const piece = this.#waiting.slice(0, end);
    this.#waiting = this.#waiting.slice(end);
    this.#send(piece);
    this.#tick = setTimeout(() => this.#next(), TICK_MS);
  }
}

/** The end of the first message of `text`: never inside a character of two code units, half of which is invalid. */
function pieceEnd(text: string): number {
  if (text.length <= INPUT_CHARS) return text.length;
  const last = text.charCodeAt(INPUT_CHARS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? INPUT_CHARS - 1 : INPUT_CHARS;
}
