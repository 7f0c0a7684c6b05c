import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pause } from "./pause";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a wait fails once its signal has ended, be it before the wait or during it", async () => {
  const left = new AbortController();
  const during = expect(pause(1_000, left.signal)).rejects.toThrow("The page was left");
  left.abort(new Error("The page was left"));
  await during;
  await expect(pause(1_000, left.signal)).rejects.toThrow("The page was left");
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait that is over no longer listens to its signal", async () => {
  const { signal } = new AbortController();
  const began = vi.spyOn(signal, "addEventListener");
  const stopped = vi.spyOn(signal, "removeEventListener");
  for (let key = 0; key < 3; key += 1) {
    const waited = pause(50, signal);
    await vi.advanceTimersByTimeAsync(50);
    await waited;
  }
  expect(began).toHaveBeenCalledTimes(3);
  expect(stopped.mock.calls.map(([, listener]) => listener)).toEqual(
    began.mock.calls.map(([, listener]) => listener),
  );
});
