import type { ReactNode } from "react";
import { paths } from "../lib/paths";
import { type ButtonKind, buttonClass } from "../ui/button";
import { Mark } from "../ui/mark";
import { CONTACT } from "./site";

/** Header and footer of the public pages. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-full max-w-[1152px] flex-col px-6">
      <header className="flex items-center justify-between py-4.5">
        <a
          href={paths.landing()}
          className="inline-flex items-center gap-2.5 rounded-control text-ink no-underline"
        >
          <Mark size={26} />
          <span className="wordmark text-[15.5px] max-[420px]:sr-only">Groundcrew</span>
        </a>
        <nav aria-label="Main" className="flex items-center gap-5.5 max-narrow:gap-3.5">
          <a href={paths.pricing()} className="rounded-control text-ink-2 no-underline hover:text-ink">
            Pricing
          </a>
          <SignIn />
        </nav>
      </header>
      <main className="flex-1">{children}</main>
      <footer className="mt-20 flex flex-wrap items-center justify-between gap-4 border-line border-t py-6 text-ink-2 text-note">
        <nav
          aria-label="Legal"
          className="-my-1 flex flex-wrap gap-x-5 [&>a:hover]:text-ink [&>a]:rounded-control [&>a]:py-1 [&>a]:no-underline"
        >
          <a href={paths.terms()}>Terms</a>
          <a href={paths.privacy()}>Privacy</a>
          <a href={paths.refundPolicy()}>Refund</a>
          <a href={paths.pricing()}>Pricing</a>
        </nav>
        <a href={`mailto:${CONTACT}`} className="rounded-control no-underline hover:text-ink">
          {CONTACT}
        </a>
      </footer>
    </div>
  );
}

interface SignInProps {
  kind?: ButtonKind;
  size?: "normal" | "large";
  children?: ReactNode;
}

/** Starts the sign-in; amber if it is the page's main action. */
export function SignIn({ kind = "plain", size = "normal", children = "Sign in with GitHub" }: SignInProps) {
  return (
    <button type="button" data-sign-in className={buttonClass(kind, size)}>
      {children}
    </button>
  );
}

/** A long text for reading, such as the legal pages. */
export function Reading({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  return (
    <PublicFrame>
      <article className="prose-crew max-w-[68ch] py-10 text-[15px]">
        <h1 className="!text-[34px] !leading-tight !mt-0">{title}</h1>
        <p className="text-ink-2">{note}</p>
        {children}
      </article>
    </PublicFrame>
  );
}

/** The address to write to, inside a text. */
export function Contact() {
  return <a href={`mailto:${CONTACT}`}>{CONTACT}</a>;
}
