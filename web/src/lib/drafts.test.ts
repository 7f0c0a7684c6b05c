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

test("a draft outlives its document, and is stored only in between", () => {
  const first = opened();
  first.put("1:executor", "half a sentence");
  expect(Object.keys(storage)).toEqual([]);
  first.store();
  const second = opened();
  expect(second.get("1:executor")).toBe("half a sentence");
  expect(Object.keys(storage)).toEqual([]);
});

test("a draft with a secret is never stored", () => {
  const drafts = opened();
  drafts.put("1:executor", "password: hunter2", true);
  drafts.put("2:executor", "harmless");
  drafts.store();
  expect(drafts.hasSecret()).toBe(true);
  expect(JSON.stringify(storage)).not.toContain("hunter2");
  expect(opened().get("2:executor")).toBe("harmless");
});

test("a draft that was sent is gone", () => {
  const drafts = opened();
  drafts.put("1:executor", "sent", true);
  drafts.put("2:executor", "saved");
  drafts.drop("1:executor");
  drafts.put("2:executor", undefined);
  drafts.store();
  expect(drafts.hasSecret()).toBe(false);
  expect(Object.keys(storage)).toEqual([]);
});

test("a draft is only for the installation under which it was typed", () => {
  const first = opened("7");
  first.put("1:executor", "mine");
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
  drafts.put("1:executor", "mine");
  drafts.put("2:executor", "password: hunter2", true);
  owner = null;
  drafts.store();
  expect(drafts.hasSecret()).toBe(false);
  expect(Object.keys(storage)).toEqual([]);
});

test("the end of a session forgets everything except what was typed in it", () => {
  Object.assign(storage, { github_installation_id: "7", "groundcrew:auto-approve:1": "true" });
  const drafts = opened();
  drafts.put("script:1", "echo");
  drafts.put("1:executor", "password: hunter2", true);
  drafts.outlive();
  expect({ ...storage }).toEqual({ "groundcrew:drafts:7": '{"script:1":"echo"}' });
});

test("a storage with other content holds no drafts", () => {
  storage["groundcrew:drafts:7"] = "not JSON";
  expect(opened().get("1:executor")).toBeUndefined();
});
