/** A cost in dollars to four decimals; 0.0000 if there is none. */
export function cost(total: string | undefined): string {
  const value = Number.parseFloat(total ?? "");
  return (Number.isFinite(value) ? value : 0).toFixed(4);
}

/** A share from 0 to 1 in whole percent; a share that is almost nothing is not shown as nothing. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 0 && share > 0 ? "< 1%" : `${whole}%`;
}

/** A balance in dollars to two decimals. */
export function balance(dollars: number | undefined): string {
  const value = dollars ?? 0;
  return `${value < 0 ? "-" : ""}$${Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
