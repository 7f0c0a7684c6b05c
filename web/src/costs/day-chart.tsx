import { cost } from "../lib/money";
import { type DayCost, dayName, roundedUp } from "./days";

/** The height of the chart, in pixels; its width is the card's. */
const HEIGHT = 132;
/** The height of a day without a cost, in pixels. */
const STUMP = 2;

/** The cost of each day, as bars; people who cannot see them get a table. */
export function DayChart({ days }: { days: DayCost[] }) {
  const top = roundedUp(Math.max(...days.map((day) => day.cost)));
  const slot = 100 / days.length;
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="m-0">
      <div className="relative pl-12">
        {[1, 0.5, 0].map((share) => (
          <span
            key={share}
            aria-hidden
            className="-translate-y-1/2 absolute left-0 w-10 text-right text-ink-3 text-tiny"
            style={{ top: HEIGHT * (1 - share) }}
          >
            ${axis(top * share)}
          </span>
        ))}
        <svg width="100%" height={HEIGHT} className="block overflow-visible" aria-hidden="true">
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2="100%"
              y1={HEIGHT * share}
              y2={HEIGHT * share}
              className={share === 1 ? "stroke-line-strong" : "stroke-line"}
            />
          ))}
          {days.map(({ day, cost: value }, place) => {
            const height = Math.max(STUMP, (value / top) * HEIGHT);
            const width = Math.min(slot * 0.7, 6);
            return (
              <rect
                key={day}
                x={`${place * slot + (slot - width) / 2}%`}
                y={HEIGHT - height}
                width={`${width}%`}
                height={height}
                rx="2"
                className={value > 0 ? "fill-ink-2" : "fill-line-strong"}
              >
                <title>{`${dayName(day)}: $${cost(String(value))}`}</title>
              </rect>
            );
          })}
        </svg>
        <div aria-hidden className="mt-1.5 flex justify-between text-ink-3 text-tiny">
          {days.length === 1 ? (
            <span className="mx-auto">{first && dayName(first.day)}</span>
          ) : (
            <>
              <span>{first && dayName(first.day)}</span>
              <span>{last && dayName(last.day)}</span>
            </>
          )}
        </div>
      </div>
      <table className="sr-only">
        <caption>Cost by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, cost: value }) => (
            <tr key={day}>
              <th scope="row">{dayName(day)}</th>
              <td>${cost(String(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

const axis = (value: number) =>
  value === 0 ? "0" : value >= 10 ? value.toFixed(0) : value.toFixed(value >= 0.1 ? 2 : 4);
