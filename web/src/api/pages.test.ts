import { expect, test } from "vitest";
import { allPages } from "./pages";

test("each page is read once, from the cursor of the page before it", async () => {
  const asked: (string | undefined)[] = [];
  const page = async (cursor?: string) => {
    asked.push(cursor);
    const at = asked.length;
    return { part: [at], headers: new Headers(at < 3 ? { "Next-Cursor": `c${at}` } : {}) };
  };
  expect(await allPages(page)).toEqual([[1], [2], [3]]);
  expect(asked).toEqual([undefined, "c1", "c2"]);
});
