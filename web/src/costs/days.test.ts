import fc from "fast-check";
import { expect, test } from "vitest";
import { CHART_DAYS, dayName, everyDay, roundedUp } from "./days";

test("days without a cost are zero", () => {
  const days = [
    { day: "2026-11-20", total_cost: "0.5" },
    { day: "2026-11-18", total_cost: "0.25" },
  ];
  expect(everyDay(days)).toEqual([
    { day: "2026-11-18", cost: 0.25 },
    { day: "2026-11-19", cost: 0 },
    { day: "2026-11-20", cost: 0.5 },
  ]);
  expect(everyDay([])).toEqual([]);
});

test("a long project shows its last days", () => {
  const days = [
    { day: "2026-01-01", total_cost: "1" },
    { day: "2026-11-20", total_cost: "2" },
  ];
  const shown = everyDay(days);
  expect(shown).toHaveLength(CHART_DAYS);
  expect(shown.at(-1)).toEqual({ day: "2026-11-20", cost: 2 });
});

test("the top of an axis is round and not below any value", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value) => {
      const top = roundedUp(value);
      expect(top).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      expect(top).toBeLessThanOrEqual(value * 10);
    }),
  );
  expect(roundedUp(0.12)).toBeCloseTo(0.2);
  expect(dayName("2026-11-20")).toBe("Nov 20");
});
