import fc from "fast-check";
import { expect, test } from "vitest";
import { plainOutput } from "./ansi";
import { asDrawn, counted, firstCharacters, firstLines, shortDigest, unquoted } from "./text";

test("a document sent as a JSON string is the document", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(unquoted(JSON.stringify(text))).toBe(text);
    }),
  );
});

test("quotes around text with escaped line breaks are stripped even if it is not valid JSON", () => {
  expect(unquoted('"# Plan\\n\\n- a "quoted" word\\n"')).toBe('# Plan\n\n- a "quoted" word\n');
});

test("text without surrounding quotes stays as it is", () => {
  expect(unquoted("# Plan\\n")).toBe("# Plan\\n");
  expect(unquoted('"')).toBe('"');
  expect(unquoted("")).toBe("");
});

test("a cut text keeps whole characters", () => {
  expect(firstCharacters("a🚀b🚀", 2)).toBe("a🚀");
  expect(firstCharacters("a🚀", 2)).toBe("a🚀");
  expect(firstCharacters("", 2)).toBe("");
});

test("a shortened output keeps its first lines, and says so", () => {
  expect(firstLines("1\n2\n3\n4\n5\n", 5)).toEqual({ text: "1\n2\n3\n4\n5", more: false });
  expect(firstLines("1\n2\n3\n4\n5\n6", 5)).toEqual({ text: "1\n2\n3\n4\n5\n...", more: true });
});

test("a shortened digest keeps both ends", () => {
  expect(shortDigest(`9f2c${"0".repeat(56)}71ae`)).toBe("9f2c…71ae");
});

test("colors and rewritten lines are left out of an output", () => {
  expect(plainOutput("\x1b[1;32mok\x1b[0m \x1b]0;title\x07done\r\n10%\r50%\r100%\r\n")).toBe(
    "ok done\n100%\n",
  );
});

test("names that are drawn alike are the same, and a different letter is not", () => {
  expect(asDrawn("A  B\u00a0double")).toBe(asDrawn("A B double"));
  expect(asDrawn("Cafe\u0301")).toBe(asDrawn("Caf\u00e9"));
  expect(asDrawn(" A ")).toBe("A");
  expect(asDrawn("a")).not.toBe(asDrawn("A"));
});

test("one thing has no plural", () => {
  expect([0, 1, 4].map((number) => counted(number, "step"))).toEqual(["0 steps", "1 step", "4 steps"]);
});
