import { expect, test } from "vitest";
import { notes } from "./hiding";
import { isShort } from "./rules";

test("each name that outputs show is named, and no other", () => {
  expect(notes({})).toEqual([]);
  expect(notes({ hiding: {} })).toEqual([]);
  expect(notes({ hiding: { PORT: "never", DB_PASSWORD: "as_a_word", DB_USER: "never" } })).toEqual([
    "Outputs show PORT, DB_USER: too short or too common to be hidden.",
    "Outputs hide DB_PASSWORD only where the value stands alone: it is short.",
  ]);
});

test("a value is short below six bytes, not counting the blanks around it", () => {
  for (const value of ["a", "true", "zebra", " zebra ", "éé"]) expect(isShort(value), value).toBe(true);
  for (const value of ["", "   ", "zebras", "ééé", "-----BEGIN KEY-----\n"])
    expect(isShort(value), value).toBe(false);
});
