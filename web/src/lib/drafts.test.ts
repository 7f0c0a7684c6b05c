import { beforeEach, expect, test } from "vitest";
import { Drafts } from "./drafts";

/** A storage whose entries are its own properties, as a browser's are. */
interface FakeStorage {
  [key: string]: unknown;
}

const methods = {
  getItem(this: FakeStorage, key: string) {
    return this[key] ?? null;
  },
  setItem(this: FakeStorage, key: string, value: string) {
    this[key] = value;
  },
  removeItem(this: FakeStorage, key: string) {
    delete this[key];
  },
  clear(this: FakeStorage) {
    for (const key of Object.keys(this)) delete this[key];
  },
};

let storage: FakeStorage;
const opened = (owner: string | null = "7") =>
  new Drafts(
    () => storage as unknown as Storage,
    () => owner,
  );

beforeEach(() => {
  storage = Object.create(methods);
});

/** Keeps a value in which a search finds no secret. */
function type(drafts: Drafts, key: string, value: unknown) {
  drafts.put(key, value);
  drafts.allow(key, value);
}

test("a draft outlives its document, and is stored only in between", () => {
  const first = opened();
  type(first, "1:executor", "half a sentence");
  expect(Object.keys(storage)).toEqual([]);
  first.store();
  const second = opened();
  expect(second.get("1:executor")).toBe("half a sentence");
  expect(second.wouldLose()).toBe(false);
  expect(Object.keys(storage)).toEqual([]);
});

test("a draft is stored only after a search, and never with a secret", () => {
  const drafts = opened();
  drafts.put("1:executor", "not searched yet");
  drafts.put("2:executor", "password: hunter2");
  drafts.forbid("2:executor", "password: hunter2");
  type(drafts, "3:executor", "harmless");
  drafts.store();
  expect(drafts.wouldLose()).toBe(true);
  expect({ ...storage }).toEqual({ "groundcrew:drafts:7": '{"3:executor":"harmless"}' });
});

test("while a text is not searched, the harmless one before it is stored", () => {
  const drafts = opened();
  type(drafts, "1:executor", "the password is");
  drafts.put("1:executor", "the password is hunter2");
  expect(drafts.wouldLose()).toBe(true);
  drafts.store();
  expect(opened().get("1:executor")).toBe("the password is");
});

test("what was stored of a draft goes when a secret is found in it", () => {
  const drafts = opened();
  type(drafts, "1:executor", "harmless");
  drafts.store();
  expect(Object.keys(storage)).toHaveLength(1);
  drafts.put("1:executor", "harmless? hunter2");
  drafts.forbid("1:executor", "harmless? hunter2");
  drafts.store();
  expect(Object.keys(storage)).toEqual([]);
  expect(drafts.wouldLose()).toBe(true);
});

test("the answer about a text that has changed does not count", () => {
  const drafts = opened();
  drafts.put("1:executor", "newer");
  drafts.allow("1:executor", "older");
  drafts.allow("2:executor", "sent");
  drafts.store();
  expect(Object.keys(storage)).toEqual([]);
  type(drafts, "1:executor", "newest");
  drafts.forbid("1:executor", "newer");
  drafts.store();
  expect(opened().get("1:executor")).toBe("newest");
});

test("a draft that was sent is gone", () => {
  const drafts = opened();
  drafts.put("1:executor", "sent");
  type(drafts, "2:executor", "saved");
  drafts.drop("1:executor");
  drafts.put("2:executor", undefined);
  drafts.store();
  expect(drafts.wouldLose()).toBe(false);
  expect(Object.keys(storage)).toEqual([]);
});

test("a draft is only for the installation under which it was typed", () => {
  const first = opened("7");
  type(first, "1:executor", "mine");
  first.store();
  expect(opened("8").get("1:executor")).toBeUndefined();
  expect(opened(null).get("1:executor")).toBeUndefined();
  expect(opened("7").get("1:executor")).toBe("mine");
});

test("without a session, nothing is stored and the browser does not ask", () => {
  let owner: string | null = "7";
  const drafts = new Drafts(
    () => storage as unknown as Storage,
    () => owner,
  );
  type(drafts, "1:executor", "mine");
  drafts.put("2:executor", "password: hunter2");
  owner = null;
  drafts.store();
  expect(drafts.wouldLose()).toBe(false);
  expect(Object.keys(storage)).toEqual([]);
});

test("the end of a session forgets everything except what was typed in it", () => {
  Object.assign(storage, { github_installation_id: "7", "groundcrew:auto-approve:1": "true" });
  const drafts = opened();
  type(drafts, "script:1", "echo");
  drafts.put("1:executor", "password: hunter2");
  drafts.outlive();
  expect({ ...storage }).toEqual({ "groundcrew:drafts:7": '{"script:1":"echo"}' });
});

test("a storage with other content holds no drafts", () => {
  storage["groundcrew:drafts:7"] = "not JSON";
  expect(opened().get("1:executor")).toBeUndefined();
});
