/** A cost in dollars to four decimals; 0.0000 if there is none. */
export function cost(total: string | undefined): string {
  const value = Number.parseFloat(total ?? "");
  return (Number.isFinite(value) ? value : 0).toFixed(4);
}

/** A balance in dollars to two decimals. */
export function balance(dollars: number | undefined): string {
  const value = dollars ?? 0;
  return `${value < 0 ? "-" : ""}$${Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
