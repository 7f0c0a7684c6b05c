/**
 * Characters of code that a reader would not see, or that would reorder what they read: controls, formats, separators,
 * characters without a shape, and white space other than the space, which bash takes for a part of a word. The joiners
 * of letters and emoji stay, and so do the selectors of a sign's form.
 *
 * Scripts with most of them are refused (`shared/domain/src/unseen.rs`), but files that a script replaces may have
 * them.
 */
const UNSEEN =
  /((?![\t ]|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800])/u;

/** A piece of code as it is, or one such character with its name. */
export type Piece = { text: string; name?: string };

export function pieces(text: string): Piece[] {
  if (!UNSEEN.test(text)) return [{ text }];
  const parts = text.split(UNSEEN);
  const named = (text: string) => {
    const code = text.codePointAt(0) ?? 0;
    return { text, name: `U+${code.toString(16).toUpperCase().padStart(4, "0")}` };
  };
  return parts
    .map((text, index) => (index % 2 === 1 ? named(text) : { text }))
    .filter((piece) => piece.text !== "");
}
