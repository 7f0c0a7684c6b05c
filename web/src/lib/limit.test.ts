import { expect, test } from "vitest";
import { countWords, lengthOf, overWords } from "./limit";

test("a limit is shown shortly before it is reached, and exceeded only beyond it", () => {
  expect(lengthOf("a".repeat(89), 100)).toMatchObject({ isNear: false, isOver: false });
  expect(lengthOf("a".repeat(90), 100)).toMatchObject({ isNear: true, isOver: false });
  expect(lengthOf("a".repeat(100), 100)).toMatchObject({ isNear: true, isOver: false });
  expect(lengthOf("a".repeat(101), 100)).toMatchObject({ isNear: true, isOver: true });
});

test("characters are counted as the server counts them", () => {
  expect(lengthOf("🚀".repeat(100), 100).isOver).toBe(false);
});

test("the words name both numbers, once each", () => {
  expect(countWords(lengthOf("a".repeat(950), 1_000))).toBe("950 of 1,000 characters");
  const long = lengthOf("a".repeat(5_000), 1_000);
  expect(countWords(long)).toBe("This text has 5,000.");
  expect(overWords(long)).toBe("Too long: the limit is 1,000 characters.");
});
