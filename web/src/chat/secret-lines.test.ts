import { expect, test } from "vitest";
import type { Found } from "../api/drafts";
import { UNMARKED } from "../api/drafts";
import { withoutSecret } from "./draft";
import { linesOf } from "./secret-lines";

const find = (start: number, end: number, name: string): Found => ({ start, end, kind: "password", name });
const MESSAGE = "now pass1 and then pass22 and later pass and pass1";
const FOUND = [find(4, 9, "A"), find(19, 25, "B"), find(36, 40, "C")];

const places = (found: Found[], marks = UNMARKED) =>
  linesOf(MESSAGE, found, marks).map(({ start, sealed }) => [start, sealed?.name]);

test("a find that is taken back keeps its place, before and after the server has answered", () => {
  const marks = withoutSecret(UNMARKED, { start: 4, end: 9 });
  const expected = [
    [4, undefined],
    [19, "B"],
    [36, "C"],
  ];
  expect(places(FOUND, marks)).toEqual(expected);
  expect(places(FOUND.slice(1), marks)).toEqual(expected);
});

test("a secret that appears twice is one line", () => {
  expect(places([...FOUND, find(45, 50, "A")])).toHaveLength(3);
});

test("finds with the same name for a moment are lines of their own", () => {
  expect(places([find(19, 25, "A"), find(4, 9, "A")])).toEqual([
    [4, "A"],
    [19, "A"],
  ]);
});
