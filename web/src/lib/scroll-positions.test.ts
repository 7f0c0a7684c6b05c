import { beforeEach, expect, test } from "vitest";
import { MOST_POSITIONS, placeOf, ScrollPositions } from "./scroll-positions";

let items: Map<string, string>;
const opened = (isReturn: boolean) =>
  new ScrollPositions(
    {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
    } as unknown as Storage,
    isReturn,
  );

const list = placeOf("default", "/app", "page");
const project = placeOf("k3y", "/app/1", "page");

beforeEach(() => {
  items = new Map();
});

test("a reload finds the positions of the document before it", () => {
  const first = opened(false);
  first.put(list, 733);
  first.store();
  expect(opened(true).get(list)).toBe(733);
});

test("a newly opened document begins at its top, and Back still finds earlier positions", () => {
  const first = opened(false);
  first.put(list, 733);
  first.put(project, 20);
  first.store();
  const second = opened(false);
  expect(second.get(list)).toBeUndefined();
  expect(second.get(project)).toBe(20);
});

test("the oldest position is dropped first", () => {
  const positions = opened(false);
  for (let entry = 0; entry <= MOST_POSITIONS; entry += 1) positions.put(String(entry), entry);
  expect(positions.get("0")).toBeUndefined();
  expect(positions.get("1")).toBe(1);
});
