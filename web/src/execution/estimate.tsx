import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { type Estimate, estimateQuery } from "../api/estimate";
import { counted } from "../lib/text";
import { cx } from "../ui/class";
import { Skeleton } from "../ui/states";
import { costRange, minutesRange, tokensRange } from "./estimate-words";

interface EstimateLineProps {
  projectId: number;
  /** Changes when a step has ended. */
  stamp?: string;
  /** Every step is completed. */
  done?: boolean;
  className?: string;
}

/**
 * What the execution is expected to take, on one line that opens: what it has taken so far, and the source of the
 * estimate. The line has its height before the estimate is there.
 */
export function EstimateLine({ projectId, stamp, done = false, className }: EstimateLineProps) {
  const { data, isPending } = useQuery(estimateQuery(projectId, stamp));
  if (!data) return isPending && <Pending className={className} />;
  const { low, high, took } = data;
  const estimate = `Estimate: ${costRange(low.cost, high.cost)} · ${minutesRange(low.seconds, high.seconds)}`;
  const taken = took && `${costRange(took.cost, took.cost)} · ${minutesRange(took.seconds, took.seconds)}`;
  const finished = done && taken;
  return (
    <section aria-label="Estimate" className={cx("print:hidden", className)}>
      <details className="group">
        <summary className="w-fit cursor-pointer list-none rounded-control text-ink max-narrow:text-tiny [&::-webkit-details-marker]:hidden">
          {finished ? `It took: ${taken}` : estimate}
          {/* Out of the flow, it stays after the last word; in it, it would take a line of its own on a phone. */}
          <ChevronRight
            size={12}
            aria-hidden
            className="absolute mt-1 ml-1 inline text-ink-2 max-narrow:mt-0.5 transition-transform duration-150 group-open:rotate-90"
          />
        </summary>
        <div className="flex flex-col gap-0.5 pt-1 text-ink-2 text-small">
          <p>
            {finished && `${estimate} · `}
            {tokensRange(low.tokens, high.tokens)} for {counted(data.steps, "step")}
          </p>
          {took && (
            <p>
              {finished ? "It used" : `So far, after ${counted(took.steps, "step")}: ${taken} ·`}{" "}
              {tokensRange(took.tokens, took.tokens)}
            </p>
          )}
          <p className="label">How this is estimated</p>
          <p className="max-w-prose">
            {basisOf(data)} The time in which a step waits for you is not part of it.
          </p>
        </div>
      </details>
    </section>
  );
}

/** As tall as the line that replaces it, so that nothing below it moves. */
function Pending({ className }: { className?: string }) {
  return (
    <div aria-hidden className={cx("print:hidden", className)}>
      <p className="relative w-fit max-narrow:text-tiny">
        <span className="invisible">Estimate: $0.50 to $1.75 · 4 to 10 min</span>
        <Skeleton className="absolute inset-x-0 inset-y-1" />
      </p>
    </div>
  );
}

function basisOf({ basis, from_steps }: Estimate): string {
  return basis === "measured"
    ? `Measured: what the execution agent used, and how long preparing and running took, in ${counted(from_steps, "completed step")} of your earlier projects.`
    : "From the six deployments on the pricing page, half of which we count as execution, over ten steps. Your own steps replace it once three of them are completed in other projects.";
}
