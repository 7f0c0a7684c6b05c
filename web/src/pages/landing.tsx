import { ArrowDown } from "lucide-react";
import { useRef } from "react";
import { DemoStep } from "../public-site/demo-step";
import { PublicFrame, SignIn } from "../public-site/frame";
import { ProvenDeployments } from "../public-site/proven-deployments";
import { Button } from "../ui/button";

export function Component() {
  const proven = useRef<HTMLElement>(null);
  const scroll = () => {
    proven.current?.scrollIntoView({ behavior: "smooth" });
    proven.current?.focus({ preventScroll: true });
  };
  return (
    <PublicFrame>
      <title>Groundcrew: Build Apps, Not Infrastructure</title>
      <section className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-14 pt-20 max-wide:grid-cols-1 max-wide:gap-10 max-wide:pt-12">
        <div>
          <h1 className="max-w-[7em] -tracking-[0.02em] font-[680] text-[62px] leading-[1] max-narrow:text-[44px]">
            Build Apps, Not Infrastructure
          </h1>
          <p className="mt-7 max-w-[52ch] text-[18px] text-ink-2 leading-[1.55]">
            Describe what you need. A crew of agents plans it, writes the Terraform and the Ansible, and runs
            it in your own sandbox, one approved step at a time.
          </p>
          <div className="mt-7 flex flex-wrap gap-3">
            <SignIn kind="signal" size="large" />
            <Button size="large" onClick={scroll}>
              See Proven Deployments <ArrowDown size={16} aria-hidden />
            </Button>
          </div>
        </div>
        <DemoStep />
      </section>
      <div
        aria-hidden
        className="mt-10 h-2.5"
        style={{
          background: "repeating-linear-gradient(90deg, var(--signal) 0 34px, transparent 34px 62px)",
        }}
      />
      <HowItWorks />
      <ProvenDeployments ref={proven} />
    </PublicFrame>
  );
}

const CARDS = [
  {
    title: "A crew, not a chatbot",
    text: "One agent gathers requirements, one designs, one plans, one executes, one proves that it works. Each hands on a document you can read.",
  },
  {
    title: "Infrastructure as code",
    text: "Terraform, Ansible, Compose and shell that you keep. Download the workspace and take over whenever you like.",
  },
  {
    title: "Secure sandboxes",
    text: "Every project runs in a sandbox of its own. Keys are sealed: no model, log or transcript ever sees them.",
  },
];

function HowItWorks() {
  return (
    <section className="pt-14">
      <h2 className="text-[27px] leading-tight">How It Works</h2>
      <ul className="mt-6 grid grid-cols-3 border-line-strong border-t max-wide:grid-cols-1">
        {CARDS.map((card) => (
          <li
            key={card.title}
            className="border-line py-5 not-first:border-l not-first:pl-6.5 pr-6.5 max-wide:not-first:border-t max-wide:not-first:border-l-0 max-wide:px-0 max-wide:not-first:pl-0"
          >
            <h3 className="text-[17px]">{card.title}</h3>
            <p className="mt-1.5 text-[15px] text-ink-2">{card.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
