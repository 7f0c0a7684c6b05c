import { expect, test } from "vitest";
import type { Found } from "../api/drafts";
import { UNMARKED, withoutSecret } from "./draft";
import { linesOf } from "./secret-lines";

const find = (start: number, end: number, name: string): Found => ({ start, end, kind: "password", name });
const FOUND = [find(5, 9, "A"), find(20, 25, "B"), find(40, 44, "C")];

const places = (found: Found[], marks = UNMARKED) =>
  linesOf(found, marks).map(({ start, sealed }) => [start, sealed?.name]);

test("a find that is taken back keeps its place, before and after the server has answered", () => {
  const marks = withoutSecret(UNMARKED, { start: 5, end: 9 });
  const expected = [
    [5, undefined],
    [20, "B"],
    [40, "C"],
  ];
  expect(places(FOUND, marks)).toEqual(expected);
  expect(places(FOUND.slice(1), marks)).toEqual(expected);
});

test("a secret that appears twice is one line", () => {
  expect(places([...FOUND, find(50, 54, "A")])).toHaveLength(3);
});
