import { paths } from "../lib/paths";
import { DemoCards } from "./demos";
import { EXAMPLES, ExampleTable } from "./examples";

/** Deployments that were actually made, with the time and cost of each. */
export function ProvenDeployments() {
  return (
    <section
      id="proven"
      tabIndex={-1}
      className="scroll-mt-6 pt-20 focus-visible:outline-none max-narrow:pt-14"
    >
      <h2 className="text-[27px] leading-tight">Proven Deployments</h2>
      <p className="mt-2 max-w-[60ch] text-[15px] text-ink-2">
        Watch two of them, with the time and the cost of each. Below is what six ordinary deployments take
        from the first message to the last check, at preview rates.{" "}
        <a
          href={paths.pricing()}
          className="underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          See pricing
        </a>
      </p>
      <div className="mt-6">
        <DemoCards />
      </div>
      <div className="mt-8">
        <ExampleTable examples={EXAMPLES} />
      </div>
    </section>
  );
}
