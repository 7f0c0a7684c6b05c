import { expect, test } from "vitest";
import { clearExceptTyped } from "./typed";

test("the end of a session forgets everything except what was typed in it", () => {
  const kept = new Map([
    ["github_installation_id", "7"],
    ["groundcrew:typed:7:script:1", '"echo"'],
    ["groundcrew:auto-approve:1", "true"],
  ]);
  const storage = {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    removeItem: (key: string) => void kept.delete(key),
  };
  clearExceptTyped(storage);
  expect([...kept.keys()]).toEqual(["groundcrew:typed:7:script:1"]);
});
