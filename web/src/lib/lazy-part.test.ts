import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keptPart, lazyPart, loadAhead } from "./lazy-part";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const missing = () => new TypeError("Failed to fetch dynamically imported module: /assets/costs.js");

test("a part that loads on a later attempt is shown", async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(missing())
    .mockRejectedValueOnce(missing())
    .mockResolvedValue("costs");
  const loaded = lazyPart(load)();
  await vi.runAllTimersAsync();
  expect(await loaded).toBe("costs");
  expect(load).toHaveBeenCalledTimes(3);
});

test("a part that never loads fails with the browser's own error", async () => {
  const load = vi.fn().mockImplementation(() => Promise.reject(missing()));
  const failed = expect(lazyPart(load)()).rejects.toThrow("Failed to fetch dynamically imported module");
  await vi.runAllTimersAsync();
  await failed;
  expect(load).toHaveBeenCalledTimes(3);
});

test("an error of the part's own code is not tried again", async () => {
  const load = vi.fn().mockRejectedValue(new Error("broken"));
  await expect(lazyPart(load)()).rejects.toThrow("broken");
  expect(load).toHaveBeenCalledTimes(1);
});

test("a kept part is loaded once and stays at hand", async () => {
  const load = vi.fn().mockResolvedValue("menu");
  const menu = keptPart(load);
  expect(menu.now()).toBeUndefined();
  await Promise.all([menu.load(), menu.load()]);
  expect(menu.now()).toBe("menu");
  await menu.load();
  expect(load).toHaveBeenCalledTimes(1);
});

test("a kept part that could not be loaded ahead is loaded again when it is wanted", async () => {
  const load = vi.fn().mockRejectedValueOnce(missing()).mockResolvedValue("menu");
  const menu = keptPart(load);
  loadAhead(menu);
  await vi.runAllTimersAsync();
  expect(menu.now()).toBeUndefined();
  expect(await menu.load()).toBe("menu");
  expect(menu.now()).toBe("menu");
});

test("every part of the application is loaded like this", () => {
  const tree = join(import.meta.dirname, "..");
  const files = readdirSync(tree, { recursive: true, encoding: "utf8" });
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$/.test(file));
  const others = code.flatMap((file) => {
    const lines = readFileSync(join(tree, file), "utf8").split("\n");
    const once = lines.filter((line) => line.includes("import(") && !line.includes("lazyPart(() => import("));
    return once.map((line) => `${file}: ${line.trim()}`);
  });
  expect(others).toEqual([]);
});
