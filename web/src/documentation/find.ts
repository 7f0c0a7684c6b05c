/** Finding words in a page whose text lies in many pieces. */

/** A place in the text: which piece, and how far into it. */
export interface Spot {
  piece: number;
  offset: number;
}

export interface Hit {
  start: Spot;
  end: Spot;
}

/** More hits than this are not looked for. */
export const MAX_HITS = 500;

/** Where `query` stands in the pieces, also across their borders; capital letters make no difference. */
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

/** Lower case, without changing how long a text is. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** The piece that holds the character at `position`. */
function spot(starts: readonly number[], position: number): Spot {
  const piece = starts.findLastIndex((start) => start <= position);
  return { piece, offset: position - (starts[piece] ?? 0) };
}

/** The place right behind the character before `position`, in that character's own piece. */
function after(starts: readonly number[], position: number): Spot {
  const { piece, offset } = spot(starts, position - 1);
  return { piece, offset: offset + 1 };
}
