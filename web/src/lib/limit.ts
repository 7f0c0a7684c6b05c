/** How much of a limit may be used before the field says how much is left. */
const NEAR = 0.9;

/**
 * A text's length compared with the limit that the server accepts, in Unicode characters instead of UTF-16 code units.
 */
interface TextLength {
  characters: number;
  most: number;
  isNear: boolean;
  isOver: boolean;
}

export function lengthOf(text: string, most: number): TextLength {
  const characters = [...text].length;
  return { characters, most, isNear: characters >= NEAR * most, isOver: characters > most };
}

const number = (value: number) => value.toLocaleString("en-US");

export const countWords = ({ characters, most, isOver }: TextLength) =>
  isOver ? `This text has ${number(characters)}.` : `${number(characters)} of ${number(most)} characters`;

export const overWords = ({ most }: TextLength) => `Too long: the limit is ${number(most)} characters.`;
