/** Formats the ranges of an estimate. */
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

const SECONDS_PER_MINUTE = 60;

/** Minutes, or seconds below one minute. */
export function minutesRange(low: number, high: number): string {
  if (high < SECONDS_PER_MINUTE) return `${range(String(low), String(high))} s`;
  const minutes = (seconds: number) =>
    seconds < SECONDS_PER_MINUTE ? "under 1" : String(Math.round(seconds / SECONDS_PER_MINUTE));
  return `${range(minutes(low), minutes(high))} min`;
}
