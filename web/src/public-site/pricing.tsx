import type { ReactNode } from "react";
import { buttonClass } from "../ui/button";
import { EXAMPLES, ExampleTable } from "./examples";
import { PublicFrame } from "./frame";

export function Pricing() {
  return (
    <PublicFrame>
      <section className="max-w-[60ch] pt-12">
        <h1 className="font-[660] text-[40px] leading-tight">Pricing</h1>
        <p className="mt-4 text-[16px] text-ink-2">
          Pay for what the agents read and write, from a prepaid balance. 1 credit is $1 USD, credits never
          expire, and costs are deducted in real time. Where the operator of this site charges for it, the
          time that sandboxes run is deducted as well.
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
          The time and cost of six deployments at preview rates, from the first message to the last check.
        </p>
        <div className="mt-5">
          <ExampleTable examples={EXAMPLES} />
        </div>
      </section>
      <section className="grid grid-cols-3 gap-x-8 gap-y-5 pt-14 max-narrow:grid-cols-1">
        {FACTS.map(({ title, text }) => (
          <div key={title} className="border-line-strong border-t pt-3.5">
            <h2 className="text-[17px]">{title}</h2>
            <p className="mt-1 text-ink-2">{text}</p>
          </div>
        ))}
      </section>
      <div className="mt-10">
        <button type="button" data-sign-in data-or-app className={buttonClass("signal", "large")}>
          Get Started
        </button>
      </div>
    </PublicFrame>
  );
}

const FACTS = [
  {
    title: "Prepaid, from $1",
    text: "Add between $1 and $10,000 by card. Payments are processed by Stripe and are final.",
  },
  {
    title: "Never more than you have",
    text: "We never start a call your balance can't cover. Each project can have its own budget.",
  },
  {
    title: "Every cent accounted for",
    text: "Costs by stage, agent and day for each project, and every transaction as a table to download.",
  },
];

function Rates({
  name,
  note,
  later,
  children,
}: {
  name: string;
  note: string;
  later?: boolean;
  children: ReactNode;
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
