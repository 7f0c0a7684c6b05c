import { beforeEach, expect, test, vi } from "vitest";

class FakeStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

vi.stubGlobal("sessionStorage", new FakeStorage());
vi.stubGlobal("window", { addEventListener: () => undefined });

const { Drafts } = await import("./drafts");

let storage: FakeStorage;
const opened = () => new Drafts(storage as unknown as Storage);

beforeEach(() => {
  storage = new FakeStorage();
});

test("a draft outlives its document, and is stored only in between", () => {
  const first = opened();
  first.put("1:executor", "half a sentence");
  expect(storage.items.size).toBe(0);
  first.store();
  const second = opened();
  expect(second.get("1:executor")).toBe("half a sentence");
  expect(storage.items.size).toBe(0);
});

test("a draft with a secret is never stored", () => {
  const drafts = opened();
  drafts.put("1:executor", "password: hunter2", true);
  drafts.put("2:executor", "harmless");
  drafts.store();
  expect(drafts.hasSecret()).toBe(true);
  expect([...storage.items.values()].join()).not.toContain("hunter2");
  expect(opened().get("2:executor")).toBe("harmless");
});

test("a draft that was sent is gone", () => {
  const drafts = opened();
  drafts.put("1:executor", "sent", true);
  drafts.drop("1:executor");
  drafts.store();
  expect(drafts.hasSecret()).toBe(false);
  expect(opened().get("1:executor")).toBeUndefined();
});

test("a storage with something else in it holds no drafts", () => {
  storage.setItem("groundcrew:drafts", "not JSON");
  expect(opened().get("1:executor")).toBeUndefined();
});
