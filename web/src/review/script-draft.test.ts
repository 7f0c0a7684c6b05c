import { expect, test } from "vitest";
import type { Step } from "../api/execution";
import { movedOn } from "./script-draft";

const step = (status: Step["status"], attempt: number, command_sha256: string) =>
  ({ status, attempt, command_sha256 }) as Step;

test("an edit can be saved as long as its attempt waits with the command that was edited", () => {
  const edited = { attempt: 1, sha256: "a" };
  expect(movedOn(step("waiting_approval", 1, "a"), edited)).toBeUndefined();
  expect(movedOn(step("in_progress", 2, "a"), edited)).toBe("This step is no longer waiting for approval.");
  expect(movedOn(step("waiting_approval", 3, "a"), edited)).toBe("You wrote this for attempt 1.");
  expect(movedOn(step("waiting_approval", 1, "b"), edited)).toBe(
    "The script has changed since you edited it.",
  );
});
