/** A sentence is for people and may be reworded, so code compares codes and classes of errors instead. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TREE = import.meta.dirname;

/** A comparison of an error's text with a sentence of its own. */
const COMPARED = /\.(?:message|detail)\s*[!=]==?\s*["'`][^"'`]*\s[^"'`]*["'`]/;

test("no code compares an error's sentence", () => {
  const files = readdirSync(TREE, { recursive: true, encoding: "utf8" });
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(code.length).toBeGreaterThan(100);
  const wrong = code.filter((file) => COMPARED.test(readFileSync(join(TREE, file), "utf8")));
  expect(wrong).toEqual([]);
  expect(COMPARED.test('error.message === "Failed to determine project path"')).toBe(true);
});
