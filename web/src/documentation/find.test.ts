import { expect, test } from "vitest";
import { findIn, MAX_HITS } from "./find";

/** The text that a hit covers, joined. */
function covered(pieces: string[], query: string): string[] {
  return findIn(pieces, query).map(({ start, end }) =>
    pieces
      .slice(start.piece, end.piece + 1)
      .map((piece, index) =>
        piece.slice(
          index === 0 ? start.offset : 0,
          index === end.piece - start.piece ? end.offset : undefined,
        ),
      )
      .join(""),
  );
}

test("words are found regardless of case", () => {
  expect(covered(["Backup the backup"], "BACKUP")).toEqual(["Backup", "backup"]);
});

test("a word cut into pieces by markup is found whole", () => {
  expect(covered(["the post", "gres", "", "ql server"], "postgresql s")).toEqual(["postgresql s"]);
});

test("a hit at the end of a piece ends in that piece", () => {
  expect(findIn(["abc", "def"], "abc")).toEqual([
    { start: { piece: 0, offset: 0 }, end: { piece: 0, offset: 3 } },
  ]);
});

test("an empty search finds nothing", () => {
  expect(findIn(["abc"], "  ")).toEqual([]);
  expect(findIn([], "a")).toEqual([]);
});

test("hits do not overlap and are bounded", () => {
  expect(covered(["aaaa"], "aa")).toEqual(["aa", "aa"]);
  expect(findIn(["a".repeat(MAX_HITS + 10)], "a")).toHaveLength(MAX_HITS);
});
