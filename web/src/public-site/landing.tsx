import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import { paths } from "../lib/paths";
import { buttonClass } from "../ui/button";
import { DemoStep } from "./demo-step";
import { PublicFrame, SignIn } from "./frame";
import { ProvenDeployments } from "./proven-deployments";
import { Questions } from "./questions";
import { Shot } from "./shot";
import { Tour } from "./tour";

export function Landing() {
  return (
    <PublicFrame>
      <SignInNotice why="ended">Your session has ended. Sign in to continue where you were.</SignInNotice>
      <SignInNotice why="needed">Sign in to open that page.</SignInNotice>
      <Hero />
      <div
        aria-hidden
        className="mt-10 h-2.5 bg-[repeating-linear-gradient(90deg,var(--signal)_0_34px,transparent_34px_62px)]"
      />
      <HowItWorks />
      <Showcase />
      <Tour />
      <ProvenDeployments />
      <Price />
      <Questions />
      <section className="pt-20 pb-4 text-center max-narrow:pt-14">
        <h2 className="mx-auto max-w-[16em] text-balance font-[660] text-[34px] leading-[1.1] max-narrow:text-[28px]">
          Say what you need. Approve what runs.
        </h2>
        <div className="mt-6">
          <SignIn kind="signal" size="large" />
        </div>
      </section>
    </PublicFrame>
  );
}

/** The reason why a page of the application led here; the page's script shows the right one. */
function SignInNotice({ why, children }: { why: string; children: ReactNode }) {
  return (
    <p
      role="status"
      hidden
      data-sign-in-notice={why}
      className="mt-2 rounded-box border border-line-strong bg-raised px-4 py-2.5"
    >
      {children}
    </p>
  );
}

function Hero() {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-14 pt-20 max-wide:grid-cols-1 max-wide:gap-10 max-wide:pt-12">
      <div>
        <h1 className="max-w-[8.5em] text-balance -tracking-[0.02em] font-[680] text-[62px] leading-[1] max-narrow:text-[44px]">
          Build Apps, Not Infrastructure
        </h1>
        <p className="mt-7 max-w-[52ch] text-[18px] text-ink-2 leading-[1.55]">
          Describe what you need. A crew of agents plans it, writes the Terraform and the Ansible, and runs it
          in your own sandbox, one approved step at a time.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <SignIn kind="signal" size="large" />
          <button type="button" data-scroll-to="proven" className={buttonClass("plain", "large")}>
            See Proven Deployments <ArrowDown size={16} aria-hidden />
          </button>
        </div>
      </div>
      <DemoStep />
    </section>
  );
}

const CARDS = [
  {
    title: "A crew, not a chatbot",
    text: "A multi-agent system: one agent gathers requirements, one designs, one plans, one executes, one proves that it works. Each produces a document you can read.",
  },
  {
    title: "Infrastructure as code",
    text: "Terraform, Ansible, Compose and shell that you keep. Download the workspace and take over whenever you like.",
  },
  {
    title: "Secure sandboxes",
    text: "Every project runs in its own sandbox. Keys are sealed as you enter them: models see only their names, and outputs mask them.",
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

/** The product, across the full width of the page. */
function Showcase() {
  return (
    <section className="pt-16 max-narrow:pt-12">
      <h2 className="max-w-[22em] text-balance text-[27px] leading-tight">
        Nothing changes until you approve it
      </h2>
      <p className="mt-2 max-w-[62ch] text-[15px] text-ink-2">
        You see the exact script and its fingerprint. The sandbox runs the script that you approved, byte for
        byte, with the output and a terminal beside it.
      </p>
      <figure className="mt-6 overflow-hidden rounded-card border border-line-strong shadow-[0_30px_60px_-36px_rgb(0_0_0/0.45)]">
        <Shot
          name="execution"
          alt="An execution in Groundcrew: two steps are completed, the script of the third waits for approval, and a terminal of the sandbox answers a health check"
          sizes="(max-width: 1152px) calc(100vw - 48px), 1104px"
        />
      </figure>
    </section>
  );
}

function Price() {
  return (
    <section className="mt-16 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-12 gap-y-6 rounded-card border border-line-strong bg-surface px-8 py-8 max-wide:grid-cols-1 max-narrow:px-5.5 max-narrow:py-6">
      <div>
        <h2 className="text-[24px] leading-tight">Pay for what the agents use</h2>
        <p className="mt-2 max-w-[56ch] text-[15px] text-ink-2">
          No plan, no seat, no minimum beyond a dollar. Credits are prepaid, 1 credit is $1 USD, and they
          never expire. Every cost is shown as it happens, to a hundredth of a cent.
        </p>
        <p className="mt-4">
          <a href={paths.pricing()} className={buttonClass("plain")}>
            See pricing
          </a>
        </p>
      </div>
      <dl className="flex gap-x-10 gap-y-4 max-narrow:flex-wrap">
        <Rate amount="$5">per million input tokens</Rate>
        <Rate amount="$20">per million output tokens</Rate>
      </dl>
    </section>
  );
}

function Rate({ amount, children }: { amount: string; children: ReactNode }) {
  return (
    <div className="flex max-w-30 flex-col-reverse justify-end">
      <dt className="text-ink-2 text-note">{children}</dt>
      <dd className="font-[640] font-display text-[38px] leading-tight">{amount}</dd>
    </div>
  );
}
