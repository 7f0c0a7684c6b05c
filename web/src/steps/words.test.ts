import { expect, test } from "vitest";
import { executionTrack, validationTrack } from "./track";
import { preparingText } from "./words";

test("a check's command is said to be written by the agent that writes it", () => {
  expect(preparingText(executionTrack(1))).toBe("The execution agent is writing the command...");
  expect(preparingText(validationTrack(1))).toBe("The validator is writing the command...");
});
