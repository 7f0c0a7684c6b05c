import { expect, test } from "vitest";
import { FileProblem } from "./connection";
import { settle, TheirsInTheWay } from "./use-saving";

const gone = new FileProblem("not_found", "There is no such folder.");
const connection = { read: () => Promise.reject(gone) };

test("a new file that cannot be saved is not called deleted", async () => {
  await expect(settle(connection, "a", { base: null, text: "x" }, gone)).rejects.toBe(gone);
});

test("a file that was opened and is no longer there is gone", async () => {
  const saved = settle(connection, "a", { base: "sha", text: "x" }, gone);
  await expect(saved).rejects.toBeInstanceOf(TheirsInTheWay);
});
