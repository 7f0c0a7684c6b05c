import { expect, test } from "vitest";
import type { FileFailure } from "../socket/protocol";
import { FileProblem } from "./connection";
import { isTaken } from "./taken";

const answering = (code?: FileFailure) => ({
  read: () =>
    code === undefined
      ? Promise.resolve({ content: "", sha256: "", bytes: 0 })
      : Promise.reject(new FileProblem(code, "")),
});

test("a name is taken by any file, also by an empty one and one that cannot be shown", async () => {
  expect(await isTaken(answering(), "a")).toBe(true);
  for (const code of ["binary", "too_large", "denied", "not_a_file"] as const)
    expect(await isTaken(answering(code), "a")).toBe(true);
});

test("a name is free if there is nothing, or as long as the sandbox does not say", async () => {
  for (const code of ["not_found", "unavailable"] as const)
    expect(await isTaken(answering(code), "a")).toBe(false);
  expect(await isTaken(undefined, "a")).toBe(false);
});
