import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { INPUT_CHARS, Pacer, TICK_MS } from "./pacer";

let sent: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
});
afterEach(() => void vi.useRealTimers());

const pacer = () => new Pacer((text) => void sent.push(text));

test("a key after a pause is sent at once", () => {
  const keys = pacer();
  keys.push("a");
  vi.advanceTimersByTime(TICK_MS);
  keys.push("b");
  expect(sent).toEqual(["a", "b"]);
});

test("keys within a tick are sent together, in order", () => {
  const keys = pacer();
  for (const key of "hello") keys.push(key);
  expect(sent).toEqual(["h"]);
  vi.advanceTimersByTime(TICK_MS);
  expect(sent).toEqual(["h", "ello"]);
});

test("five thousand keys at full speed are a handful of messages and all arrive", () => {
  const keys = pacer();
  const text = Array.from({ length: 5_000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
  for (const key of text) keys.push(key);
  vi.runAllTimers();
  expect(sent.join("")).toBe(text);
  expect(sent.length).toBeLessThan(5);
});

test("a long text is cut, but never within a character", () => {
  const keys = pacer();
  const text = `x${"🛫".repeat(INPUT_CHARS)}`;
  keys.push(text);
  vi.runAllTimers();
  expect(sent.join("")).toBe(text);
  for (const piece of sent) {
    expect(piece.length).toBeLessThanOrEqual(INPUT_CHARS);
    expect(new TextDecoder().decode(new TextEncoder().encode(piece))).toBe(piece);
  }
});

test("cleared input is never sent", () => {
  const keys = pacer();
  keys.push("a");
  keys.push("b");
  keys.clear();
  vi.runAllTimers();
  keys.push("c");
  expect(sent).toEqual(["a", "c"]);
});
