import { expect, test } from "vitest";
import { Presses, SAME_PRESS_MS } from "./once";

test("an action does not begin again while it is under way, however long that takes", () => {
  const presses = new Presses();
  expect(presses.begins("create", 0)).toBe(true);
  expect(presses.begins("create", 1)).toBe(false);
  expect(presses.begins("create", 10 * SAME_PRESS_MS)).toBe(false);
});

test("the second click of a double click begins nothing, even if the first has already succeeded", () => {
  const presses = new Presses();
  presses.begins("create", 0);
  presses.ended("create", true);
  expect(presses.begins("create", SAME_PRESS_MS - 1)).toBe(false);
  expect(presses.begins("create", SAME_PRESS_MS)).toBe(true);
});

test("an action that failed may be repeated at once", () => {
  const presses = new Presses();
  presses.begins("create", 0);
  presses.ended("create", false);
  expect(presses.begins("create", 1)).toBe(true);
});

test("another action begins while the first one is under way", () => {
  const presses = new Presses();
  presses.begins("withdraw 1", 0);
  expect(presses.begins("withdraw 2", 1)).toBe(true);
  expect(presses.begins("withdraw 1", 2)).toBe(false);
});
