import { DAY_MS } from "../lib/time";

/** How many days the chart shows at most, counted back from the last one. */
export const CHART_DAYS = 30;

export interface DayCost {
  /** `2026-11-20`, UTC. */
  day: string;
  cost: number;
}

/** The cost of each day from the first to the last with a cost; days in between without one are zero. */
export function everyDay(days: readonly { day: string; total_cost: string }[]): DayCost[] {
  const costs = new Map(days.map(({ day, total_cost }) => [day, Number.parseFloat(total_cost) || 0]));
  const times = [...costs.keys()].map((day) => Date.parse(`${day}T00:00:00Z`)).filter(Number.isFinite);
  if (times.length === 0) return [];
  const last = Math.max(...times);
  const first = Math.max(Math.min(...times), last - (CHART_DAYS - 1) * DAY_MS);
  const all: DayCost[] = [];
  for (let time = first; time <= last; time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.push({ day, cost: costs.get(day) ?? 0 });
  }
  return all;
}

/** A round number not below the value, for the top of an axis: 1, 2 or 5 times a power of ten. */
export function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  // The factor of ten covers values that rounding has put slightly above it.
  const step = [1, 2, 5, 10].find((step) => step * power >= value) ?? 10;
  return step * power;
}

/** A day in an axis's form: `Nov 20`. */
export const dayName = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
