/** Radius of the progress ring, in units of its 80-unit box. */
const RADIUS = 35;
const LENGTH = 2 * Math.PI * RADIUS;

export function Ring({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="relative grid size-20 shrink-0 @max-[300px]:size-16 place-items-center"
    >
      <svg viewBox="0 0 80 80" className="-rotate-90 absolute inset-0" aria-hidden="true">
        <circle cx="40" cy="40" r={RADIUS} fill="none" strokeWidth="5.5" className="stroke-line" />
        <circle
          cx="40"
          cy="40"
          r={RADIUS}
          fill="none"
          strokeWidth="5.5"
          strokeLinecap="round"
          strokeDasharray={`${(percent / 100) * LENGTH} ${LENGTH}`}
          className="stroke-ok transition-[stroke-dasharray] duration-180 ease-out"
          opacity={percent > 0 ? 1 : 0}
        />
      </svg>
      <span className="font-[620] font-display text-[17px]">{percent}%</span>
    </div>
  );
}
