import { Link } from "react-router";
import { paths } from "../paths";
import { EXAMPLES, ExampleTable } from "../public-site/examples";
import { PublicFrame } from "../public-site/frame";
import { installationId, startLogin } from "../session";
import { Button, buttonClass } from "../ui/button";

export function Component() {
  return (
    <PublicFrame>
      <title>Pricing · Groundcrew</title>
      <section className="max-w-[60ch] pt-12">
        <h1 className="font-[660] text-[40px] leading-tight">Pricing</h1>
        <p className="mt-4 text-[16px] text-ink-2">
          Pay for what the agents read and write, from a prepaid balance. 1 credit is $1 USD, credits never
          expire, and costs are deducted in real time.
        </p>
      </section>
      <section aria-label="Rates" className="mt-9 grid grid-cols-2 gap-4 max-narrow:grid-cols-1">
        <Rates name="Research preview" note="Current rates">
          <Rate amount="$5" per="per million input tokens" />
          <Rate amount="$20" per="per million output tokens" />
        </Rates>
        <Rates name="Regular" note="After the preview" later>
          <Rate amount="$30" per="per million tokens" />
        </Rates>
      </section>
      <section className="pt-14">
        <h2 className="text-[24px]">Example costs</h2>
        <p className="mt-1.5 text-ink-2">
          What six deployments took at preview rates, from the first message to the last check.
        </p>
        <div className="mt-5">
          <ExampleTable examples={EXAMPLES} />
        </div>
      </section>
      <div className="mt-9">
        {installationId() ? (
          <Link to={paths.projects()} className={buttonClass("signal", "large")}>
            Get Started
          </Link>
        ) : (
          <Button kind="signal" size="large" onClick={startLogin}>
            Get Started
          </Button>
        )}
      </div>
    </PublicFrame>
  );
}

function Rates({
  name,
  note,
  later,
  children,
}: {
  name: string;
  note: string;
  later?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div
      className={
        later
          ? "rounded-card border border-line p-6 text-ink-2"
          : "rounded-card border border-line-strong bg-surface p-6"
      }
    >
      <h2 className="text-lead">{name}</h2>
      <p className="text-ink-2 text-note">{note}</p>
      <dl className="mt-4 flex flex-wrap gap-x-10 gap-y-3">{children}</dl>
    </div>
  );
}

function Rate({ amount, per }: { amount: string; per: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-note">{per}</dt>
      <dd className="font-[640] font-display text-[30px] leading-tight">{amount}</dd>
    </div>
  );
}
