import { expect, test } from "vitest";
import { pieces } from "./unseen";

test("a character that reorders a line is named where it is", () => {
  expect(pieces("echo a\u202e; rm x")).toEqual([
    { text: "echo a" },
    { text: "\u202e", name: "U+202E" },
    { text: "; rm x" },
  ]);
});

test("each character that a reader does not see has its name", () => {
  for (const [text, name] of [
    ["\u001b", "U+001B"],
    ["\r", "U+000D"],
    ["\u00a0", "U+00A0"],
    ["\u200b", "U+200B"],
    ["\u3000", "U+3000"],
    ["\u{e0041}", "U+E0041"],
    ["\u{e0141}", "U+E0141"],
    ["\ufe00", "U+FE00"],
    ["\u3164", "U+3164"],
    ["\u2800", "U+2800"],
  ] as const) {
    expect(pieces(text)).toEqual([{ text, name }]);
  }
});

test("letters, tabs and joined emoji are shown as they are", () => {
  for (const text of ["\tls -la 'שלום'", "👩\u200d💻 می\u200cخواهم", "\u2714\ufe0f", ""]) {
    expect(pieces(text)).toEqual([{ text }]);
  }
});
