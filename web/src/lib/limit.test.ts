import { expect, test } from "vitest";
import { countWords, overWords, standing } from "./limit";

test("a limit is shown shortly before it is reached, and exceeded only beyond it", () => {
  expect(standing("a".repeat(89), 100)).toMatchObject({ isNear: false, isOver: false });
  expect(standing("a".repeat(90), 100)).toMatchObject({ isNear: true, isOver: false });
  expect(standing("a".repeat(100), 100)).toMatchObject({ isNear: true, isOver: false });
  expect(standing("a".repeat(101), 100)).toMatchObject({ isNear: true, isOver: true });
});

test("characters are counted as the server counts them", () => {
  expect(standing("🚀".repeat(100), 100).isOver).toBe(false);
});

test("the words name both numbers, once each", () => {
  expect(countWords(standing("a".repeat(950), 1_000))).toBe("950 of 1,000 characters");
  const long = standing("a".repeat(5_000), 1_000);
  expect(countWords(long)).toBe("This text has 5,000.");
  expect(overWords(long)).toBe("Too long: the limit is 1,000 characters.");
});
