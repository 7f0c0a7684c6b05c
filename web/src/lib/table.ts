/**
 * The entry of a table for a word of the contract; undefined for a word that only a newer server knows. The table's type
 * has a row for each word of this version, so the compiler names the table when the contract has a new one.
 */
export const entryOf = <K extends string, T>(
  table: Partial<Record<K, T>>,
  word: K | undefined,
): T | undefined => (word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined);
