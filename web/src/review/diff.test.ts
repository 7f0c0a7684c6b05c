import fc from "fast-check";
import { expect, test } from "vitest";
import { difference } from "./diff";

test("each line of a difference has its numbers before and after", () => {
  const { hunks, added, removed } = difference("a\nb\nc\n", "a\nB\nc\nd\n");
  expect([hunks.length, added, removed]).toEqual([1, 2, 1]);
  expect(hunks[0]?.lines.map(({ mark, before, after, text }) => [mark, before, after, text])).toEqual([
    [undefined, 1, 1, "a"],
    ["−", 2, undefined, "b"],
    ["+", undefined, 2, "B"],
    [undefined, 3, 3, "c"],
    ["+", undefined, 4, "d"],
  ]);
});

test("a text has no differences from itself", () => {
  expect(difference("a\nb", "a\nb")).toEqual({ hunks: [], added: 0, removed: 0 });
});

test("added and unchanged lines make up the new text", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "-- x", "\\ y", ""), { maxLength: 12 })
    .map((l) => `${l.join("\n")}\n`);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { hunks } = difference(before, after);
      const lines = after.split("\n");
      for (const { lines: shown } of hunks)
        for (const line of shown) if (line.after !== undefined) expect(line.text).toBe(lines[line.after - 1]);
      if (hunks.length === 0) expect(before).toBe(after);
    }),
  );
});
