import { expect, test } from "vitest";
import { asTerminals, newTerminal, withoutTerminal, withTerminal } from "./open-terminals";

test("a closed terminal is not opened as a new one, because its shell goes on", () => {
  const two = withTerminal(asTerminals(null), "2");
  expect(newTerminal(two)).toBe("3");
  const closed = withoutTerminal(two, "2");
  expect(closed).toEqual({ open: ["main"], closed: ["2"] });
  expect(newTerminal(closed)).toBe("3");
  expect(withTerminal(closed, "2")).toEqual(two);
});

test("when each terminal has had a shell, there is not another new one", () => {
  expect(newTerminal({ open: ["main", "2"], closed: ["3", "4"] })).toBeUndefined();
});

test("what is stored comes back, without names that do not exist", () => {
  expect(asTerminals({ open: ["main", "3"], closed: ["2", "9"] })).toEqual({
    open: ["main", "3"],
    closed: ["2"],
  });
  for (const stored of [null, 7, ["2"], { open: "2" }])
    expect(asTerminals(stored)).toEqual({ open: ["main"], closed: [] });
});
