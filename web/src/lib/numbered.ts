/** The items of a list that only grows at its end, each with its index as its key. */
export function numbered<T>(items: readonly T[]): { key: string; item: T; last: boolean }[] {
  return items.map((item, place) => ({ key: String(place), item, last: place === items.length - 1 }));
}
