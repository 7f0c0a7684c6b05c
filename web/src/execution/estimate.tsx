import { useQuery } from "@tanstack/react-query";
import { type Estimate, estimateQuery } from "../api/estimate";
import { costRange, count, minutesRange, tokensRange } from "./estimate-words";

interface EstimateLineProps {
  projectId: number;
  /** Changes when a step has ended. */
  stamp?: string;
  /** Every step is completed. */
  done?: boolean;
}

/** What the execution is expected to take, the source of the estimate, and what it has taken so far. */
export function EstimateLine({ projectId, stamp, done = false }: EstimateLineProps) {
  const { data } = useQuery(estimateQuery(projectId, stamp));
  if (!data) return null;
  const { low, high, took } = data;
  return (
    <section
      aria-label="Estimate"
      className="shrink-0 border-line border-b px-4.5 py-2 text-ink-2 text-small print:hidden"
    >
      <p>
        <span className="font-[560] text-ink">
          Estimate: {costRange(low.cost, high.cost)} · {minutesRange(low.seconds, high.seconds)}
        </span>{" "}
        · {tokensRange(low.tokens, high.tokens)} for {count(data.steps, "step")}
      </p>
      {took && (
        <p>
          {done ? "It took" : `So far, after ${count(took.steps, "step")}`}:{" "}
          <span className="text-ink">
            {costRange(took.cost, took.cost)} · {minutesRange(took.seconds, took.seconds)}
          </span>{" "}
          · {tokensRange(took.tokens, took.tokens)}
        </p>
      )}
      <details>
        <summary className="w-fit cursor-pointer rounded-control">How this is estimated</summary>
        <p className="max-w-prose pb-1">
          {basisOf(data)} The time in which a step waits for you is not part of it.
        </p>
      </details>
    </section>
  );
}

function basisOf({ basis, from_steps }: Estimate): string {
  return basis === "measured"
    ? `Measured: what the execution agent used, and how long preparing and running took, in ${count(from_steps, "completed step")} of your earlier projects.`
    : "From the six deployments on the pricing page, half of which we count as execution, over ten steps. Your own steps replace it once three of them are completed in other projects.";
}
