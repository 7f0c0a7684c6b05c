import type { MouseEvent } from "react";
import { expect, test } from "vitest";
import { isPlainClick } from "./plain-click";

const click = (how: Partial<MouseEvent> = {}) =>
  isPlainClick({
    button: 0,
    metaKey: false,
    ctrlKey: false,
    shiftKey: false,
    altKey: false,
    ...how,
  } as MouseEvent);

test("a plain click follows a link in this tab, and any other is the browser's", () => {
  expect(click()).toBe(true);
  expect(click({ button: 1 })).toBe(false);
  for (const key of ["metaKey", "ctrlKey", "shiftKey", "altKey"]) expect(click({ [key]: true })).toBe(false);
});
