import { expect, test } from "vitest";
import { cost } from "./money";
import { backupAge, dayAndTime, daysAndTimes, duration, updatedAge } from "./time";

const NOW = new Date("2026-03-10T12:00:00Z").getTime();
const MINUTE = 60_000;
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();

test.each([
  [null, "Never backed up"],
  [ago(59_000), "Just now"],
  [ago(MINUTE), "1 minute ago"],
  [ago(59 * MINUTE), "59 minutes ago"],
  [ago(60 * MINUTE), "1 hour ago"],
  [ago(23 * 60 * MINUTE), "23 hours ago"],
  [ago(24 * 60 * MINUTE), "Yesterday"],
  [ago(6 * 24 * 60 * MINUTE), "6 days ago"],
  [ago(7 * 24 * 60 * MINUTE), "Mar 3, 2026"],
])("a backup of %s is %s", (time, text) => {
  expect(backupAge(time, NOW)).toBe(text);
});

test.each([
  [49, "<0.1 s"],
  [50, "0.1 s"],
  [2_100, "2.1 s"],
  [9_960, "10 s"],
  [48_000, "48 s"],
  [72_000, "1 m 12 s"],
  [7_500_000, "2 h 5 m"],
])("%d ms is %s", (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test("a point in time has one American form", () => {
  const written = dayAndTime(new Date(2026, 10, 28, 22, 47).toISOString());
  expect(written.replace(/\s/g, " ")).toBe("Nov 28, 2026, 10:47 PM");
  expect(dayAndTime(new Date(2026, 0, 5, 0, 9).toISOString()).replace(/\s/g, " ")).toBe(
    "Jan 5, 2026, 12:09 AM",
  );
});

test("a document that has just changed is shown as such", () => {
  expect(updatedAge(new Date(NOW - 1_000), NOW)).toBe("updated just now");
  expect(updatedAge(new Date(NOW - 5 * MINUTE), NOW)).toBe("updated 5 min ago");
});

test("a cost has four decimals, even if there is none", () => {
  expect(cost("1.284")).toBe("1.2840");
  expect(cost("")).toBe("0.0000");
  expect(cost(undefined)).toBe("0.0000");
});

test("times that share a minute show their seconds", () => {
  const [first, second, other] = daysAndTimes([
    "2026-11-20T10:15:07Z",
    "2026-11-20T10:15:48Z",
    "2026-11-20T10:16:00Z",
  ]);
  expect(first).toMatch(/:15:07/);
  expect(second).toMatch(/:15:48/);
  expect(other).toBe(dayAndTime("2026-11-20T10:16:00Z"));
});
