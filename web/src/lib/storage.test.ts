import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { browserStorage, tabStorage } from "./storage";

const TREE = join(import.meta.dirname, "..");
const PUBLIC = join(TREE, "../public");

/** Stands for the window of a browser that blocks cookies: reading the property throws. */
const blocked = (name: string) => ({
  configurable: true,
  get: () => {
    throw new DOMException(`${name} is not available`, "SecurityError");
  },
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
  Reflect.deleteProperty(globalThis, "localStorage");
  vi.unstubAllGlobals();
});

test("a blocked storage keeps its values for this document", () => {
  for (const [name, storage] of Object.entries({
    sessionStorage: tabStorage,
    localStorage: browserStorage,
  })) {
    Object.defineProperty(globalThis, name, blocked(name));
    expect(storage.getItem("a")).toBeNull();
    storage.setItem("a", "1");
    expect(storage.getItem("a")).toBe("1");
    storage.removeItem("a");
    expect(storage.getItem("a")).toBeNull();
    storage.setItem("b", "2");
    storage.clear();
    expect(storage.getItem("b")).toBeNull();
  }
});

test("a full storage does not bring back an older value", () => {
  const kept = new Map([["a", "old"]]);
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  browserStorage.setItem("a", "new");
  expect(browserStorage.getItem("a")).toBe("new");
  browserStorage.removeItem("a");
});

/** These catch what they use: what they store must not stay in memory instead. */
const CATCH = ["lib/storage.ts", "lib/session.ts", "lib/drafts.ts", "public-site/script/analytics.ts"];

test("the application reaches the browser's storages only where a refusal is caught", () => {
  const files = readdirSync(TREE, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
  const direct = files.filter((file) =>
    /\b(?:local|session)Storage\b/.test(readFileSync(join(TREE, file), "utf8")),
  );
  expect(direct.filter((file) => !CATCH.includes(file))).toEqual([]);
});

test.each(["start.js", "theme.js"])("%s runs in a browser that blocks cookies", (file) => {
  const page = {
    window: { addEventListener: () => undefined },
    document: { documentElement: { dataset: {} } },
  };
  Object.defineProperty(page, "localStorage", blocked("localStorage"));
  Object.defineProperty(page, "sessionStorage", blocked("sessionStorage"));
  expect(() => runInNewContext(readFileSync(join(PUBLIC, file), "utf8"), page)).not.toThrow();
});
