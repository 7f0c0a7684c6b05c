import { expect, test } from "vitest";
import { clearExceptTyped } from "./typed";

/** A storage whose entries are its own properties, as a browser's are. */
class FakeStorage {
  [key: string]: unknown;
}

const methods = {
  getItem(this: FakeStorage, key: string) {
    return this[key] ?? null;
  },
  setItem(this: FakeStorage, key: string, value: string) {
    this[key] = value;
  },
  clear(this: FakeStorage) {
    for (const key of Object.keys(this)) delete this[key];
  },
};

test("the end of a session forgets everything except what was typed in it", () => {
  const storage = Object.assign(Object.create(methods), {
    github_installation_id: "7",
    "groundcrew:typed:7:script:1": '"echo"',
    "groundcrew:auto-approve:1": "true",
  });
  clearExceptTyped(storage);
  expect({ ...storage }).toEqual({ "groundcrew:typed:7:script:1": '"echo"' });
});
