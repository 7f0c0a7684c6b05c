/** Formats the numbers of an estimate. */
import type { Change } from "../api/changes";
import type { Estimate } from "../api/estimate";

export const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? "" : "s"}`;

const range = (low: string, high: string) => (low === high ? low : `${low} to ${high}`);

/** Whole cents, or four decimal places if that would round to nothing. */
function dollars(text: string): string {
  const value = Number(text);
  return `$${value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
}

export const costRange = (low: string, high: string) => range(dollars(low), dollars(high));

function tokens(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 1_000_000) return `${Math.round(value / 1_000)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export const tokensRange = (low: number, high: number) => `${range(tokens(low), tokens(high))} tokens`;

/**
 * What the completed steps took. The cost and the tokens are those of the project's execution agent in all of its
 * changes: a change shows its own cost instead, which includes its planning and is null until it is known.
 */
export function tookWords(
  took: Estimate["took"] & object,
  change: Change["cost"] | null | undefined,
): [string, string] {
  const time = minutesRange(took.seconds, took.seconds);
  if (change === undefined)
    return [`${costRange(took.cost, took.cost)} · ${time}`, tokensRange(took.tokens, took.tokens)];
  if (change === null) return [time, ""];
  return [time, `${costRange(change, change)} for the whole change, with its planning`];
}

const SECONDS_PER_MINUTE = 60;

/** Minutes, or seconds below one minute. */
export function minutesRange(low: number, high: number): string {
  if (high < SECONDS_PER_MINUTE) return `${range(String(low), String(high))} s`;
  const minutes = (seconds: number) =>
    seconds < SECONDS_PER_MINUTE ? "under 1" : String(Math.round(seconds / SECONDS_PER_MINUTE));
  return `${range(minutes(low), minutes(high))} min`;
}
