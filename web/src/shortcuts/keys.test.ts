import { expect, test } from "vitest";
import { shortcutOf } from "./keys";

const press = (key: string, held: Partial<{ ctrlKey: boolean; metaKey: boolean; altKey: boolean }> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test("a question mark opens the help, except while typing", () => {
  expect(shortcutOf(press("?"), false, false)).toBe("help");
  expect(shortcutOf(press("?"), true, false)).toBeUndefined();
});

test("Ctrl K and Command K open the palette, but not out of a dialog or the terminal", () => {
  expect(shortcutOf(press("k", { ctrlKey: true }), true, false)).toBe("palette");
  expect(shortcutOf(press("K", { metaKey: true }), false, false)).toBe("palette");
  expect(shortcutOf(press("k", { ctrlKey: true }), true, true)).toBeUndefined();
  expect(shortcutOf(press("k"), false, false)).toBeUndefined();
});
