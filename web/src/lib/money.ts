/** A cost in dollars to four decimals; 0.0000 when there is none. */
export function cost(total: string | undefined): string {
  const value = Number.parseFloat(total ?? "");
  return (Number.isFinite(value) ? value : 0).toFixed(4);
}
