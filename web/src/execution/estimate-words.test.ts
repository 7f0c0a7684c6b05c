import { expect, test } from "vitest";
import { costRange, minutesRange, tokensRange } from "./estimate-words";

test("a range with equal ends is shown once", () => {
  expect(costRange("1.000000", "3.500000")).toBe("$1.00 to $3.50");
  expect(costRange("0.012300", "0.012300")).toBe("$0.0123");
  expect(costRange("0.000000", "0.000000")).toBe("$0.00");
  expect(tokensRange(125_000, 1_437_500)).toBe("125k to 1.4M tokens");
  expect(tokensRange(900, 900)).toBe("900 tokens");
});

test("times are in minutes, or in seconds below one minute", () => {
  expect(minutesRange(420, 1_200)).toBe("7 to 20 min");
  expect(minutesRange(3, 41)).toBe("3 to 41 s");
  expect(minutesRange(30, 100)).toBe("under 1 to 2 min");
});
