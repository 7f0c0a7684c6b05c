import { expect, test } from "vitest";
import { pageKey } from "./keys";

const key = (code: string, more: object = {}) => ({
  type: "keydown",
  key: code,
  code,
  ctrlKey: true,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

test("Ctrl+C interrupts unless text is selected", () => {
  expect(pageKey(key("KeyC"), false)).toBeUndefined();
  expect(pageKey(key("KeyC"), true)).toBe("copy");
});

test("the shell keeps Tab and every other key", () => {
  expect(pageKey(key("Tab", { ctrlKey: false }), false)).toBeUndefined();
  expect(pageKey(key("KeyR"), false)).toBeUndefined();
  expect(pageKey(key("KeyF"), false)).toBeUndefined();
});

test("finding, pasting and leaving belong to the page", () => {
  expect(pageKey(key("KeyF", { shiftKey: true }), false)).toBe("find");
  expect(pageKey(key("KeyV"), false)).toBe("paste");
  expect(pageKey(key("F6", { ctrlKey: false }), false)).toBe("leave");
  expect(pageKey(key("F6", { ctrlKey: false, type: "keyup" }), false)).toBeUndefined();
});
