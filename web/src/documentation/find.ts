/** Finds words in a page whose text is split into many pieces. */

/** A position in the text: the piece, and the offset in it. */
interface Spot {
  piece: number;
  offset: number;
}

export interface Hit {
  start: Spot;
  end: Spot;
}

/** The search stops after this many hits. */
export const MAX_HITS = 500;

/** All positions of `query` in the pieces, including across their borders, ignoring case. */
export function findIn(pieces: readonly string[], query: string): Hit[] {
  const wanted = fold(query.trim());
  if (wanted === "") return [];
  const starts: number[] = [];
  let text = "";
  for (const piece of pieces) {
    starts.push(text.length);
    text += fold(piece);
  }
  const hits: Hit[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && hits.length < MAX_HITS; ) {
    hits.push({ start: spot(starts, at), end: after(starts, at + wanted.length) });
    at = text.indexOf(wanted, at + wanted.length);
  }
  return hits;
}

/** Lower case, without changing the text's length. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** The piece that holds the character at `position`. */
function spot(starts: readonly number[], position: number): Spot {
  const piece = starts.findLastIndex((start) => start <= position);
  return { piece, offset: position - (starts[piece] ?? 0) };
}

/** The position right after the character before `position`, in that character's own piece. */
function after(starts: readonly number[], position: number): Spot {
  const { piece, offset } = spot(starts, position - 1);
  return { piece, offset: offset + 1 };
}
