const UNITS = ["B", "KB", "MB", "GB"];

/** A size with a sensible precision: `812 B`, `1.4 MB`, `38 MB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
