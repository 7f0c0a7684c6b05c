/**
 * Assembles a terminal's stream from pieces that carry their offsets.
 *
 * The gateway stores nothing, so pieces can overtake each other and arrive twice. `offset` and `next` count raw bytes
 * of the stream; a piece without text marks a lost part.
 */
export interface Piece {
  offset: number;
  next: number;
  data: string;
}

/** How many pieces may wait for a missing one; with 32 KB frames this is 8 MiB. */
const WAITING_PIECES = 256;

export class Assembler {
  #next: number;
  readonly #early = new Map<number, Piece>();

  /** Continues a stream whose content before `next` is known. */
  constructor(next = 0) {
    this.#next = next;
  }

  /** The end of the known part of the stream, from which to request more after a reconnect. */
  get next(): number {
    return this.#next;
  }

  /** Whether pieces wait for a missing one. */
  get waiting(): boolean {
    return this.#early.size > 0;
  }

  /** Takes a piece and returns the text that is now in order. */
  push(piece: Piece): string {
    if (piece.next <= this.#next) return "";
    if (piece.offset > this.#next) {
      this.#keep(piece);
      return "";
    }
    let text = this.#take(piece);
    for (let early = this.#ready(); early; early = this.#ready()) {
      this.#early.delete(early.offset);
      text += this.#take(early);
    }
    return text;
  }

  #keep(piece: Piece) {
    const known = this.#early.get(piece.offset);
    if (known ? known.next < piece.next : this.#early.size < WAITING_PIECES)
      this.#early.set(piece.offset, piece);
  }

  #ready(): Piece | undefined {
    for (const piece of this.#early.values()) if (piece.offset <= this.#next) return piece;
    return undefined;
  }

  #take(piece: Piece): string {
    if (piece.next <= this.#next) return "";
    const text = unseen(piece, this.#next);
    this.#next = piece.next;
    return text;
  }
}

/** The part of a piece that begins at byte `from`; the whole piece if its text does not show where that is. */
function unseen(piece: Piece, from: number): string {
  if (from === piece.offset || piece.data === "") return piece.data;
  const bytes = new TextEncoder().encode(piece.data);
  if (bytes.length !== piece.next - piece.offset) return piece.data;
  return new TextDecoder().decode(bytes.subarray(from - piece.offset));
}
