/** Reads all pages of a list whose answers name the next page in the header `Next-Cursor`. */
export async function allPages<T>(
  page: (cursor?: string) => Promise<{ part: T; headers: Headers }>,
): Promise<T[]> {
  const parts: T[] = [];
  let cursor: string | undefined;
  do {
    const { part, headers } = await page(cursor);
    parts.push(part);
    cursor = headers.get("next-cursor") ?? undefined;
  } while (cursor !== undefined);
  return parts;
}
