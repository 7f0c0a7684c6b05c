import { Link } from "react-router";
import { paths } from "../paths";
import { EXAMPLES, ExampleTable } from "./examples";

/** Deployments that were really made, with what each took. */
export function ProvenDeployments({ ref }: { ref: React.Ref<HTMLElement> }) {
  return (
    <section ref={ref} tabIndex={-1} className="scroll-mt-6 pt-14 focus-visible:outline-none">
      <h2 className="text-[27px] leading-tight">Proven Deployments</h2>
      <p className="mt-2 max-w-[60ch] text-[15px] text-ink-2">
        What six ordinary deployments took from the first message to the last check, at preview rates.{" "}
        <Link
          to={paths.pricing()}
          className="underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          See pricing
        </Link>
      </p>
      <div className="mt-6">
        <ExampleTable examples={EXAMPLES} />
      </div>
    </section>
  );
}
