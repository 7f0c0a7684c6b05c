import { expect, test } from "vitest";
import { whyOld } from "./words";

test("an out-of-date document says what has changed", () => {
  expect(whyOld("architecture", "requirements")).toBe(
    "The requirements changed after this plan was written.",
  );
  expect(whyOld("steps", "implementation")).toBe(
    "The implementation plan changed after these steps were made.",
  );
  expect(whyOld("validation", "execution")).toBe(
    "The steps were planned again after these checks were planned.",
  );
  expect(whyOld("documentation", "execution")).toBe("Steps or checks ran after this was written.");
});
