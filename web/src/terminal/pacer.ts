/**
 * What is typed, on its way out: the first key at once, what follows within a tick together.
 *
 * Each message is an invocation at the gateway, any of which may be slow, and the sandbox puts aside only so many that
 * overtook a slow one. So held keys, pasted text and whatever else types faster than a tick go as few messages, not one
 * a key; a person's typing is not delayed.
 */

/** The time between two messages, in milliseconds: a frame of the screen, so the echo comes no later for it. */
export const TICK_MS = 16;
/** The longest message. Frames hold 32 KB; text is cut well below that, since characters take up to six bytes as JSON. */
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

  /** Sends at once what is waiting. */
  flush() {
    clearTimeout(this.#tick);
    this.#tick = undefined;
    while (this.#waiting !== "") {
      const end = pieceEnd(this.#waiting);
      this.#send(this.#waiting.slice(0, end));
      this.#waiting = this.#waiting.slice(end);
    }
  }

  /** Forgets what is waiting. */
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

/** Where the first message of `text` ends: never within a character that takes two units, half of which is no text. */
function pieceEnd(text: string): number {
  if (text.length <= INPUT_CHARS) return text.length;
  const last = text.charCodeAt(INPUT_CHARS - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? INPUT_CHARS - 1 : INPUT_CHARS;
}
