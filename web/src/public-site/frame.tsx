import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "../paths";
import { startLogin } from "../session";
import { Button } from "../ui/button";
import { Wordmark } from "../ui/mark";

const CONTACT = "support@groundcrew.example";

/** Header and footer of the pages that everybody can see. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-full max-w-[1152px] flex-col px-6">
      <header className="flex items-center justify-between py-4.5">
        <Wordmark to={paths.landing()} size={26} folds />
        <nav aria-label="Main" className="flex items-center gap-5.5 max-narrow:gap-3.5">
          <Link to={paths.pricing()} className="rounded-control text-ink-2 no-underline hover:text-ink">
            Pricing
          </Link>
          <SignIn />
        </nav>
      </header>
      <main className="flex-1">{children}</main>
      <footer className="mt-20 flex flex-wrap items-center justify-between gap-4 border-line border-t py-6 text-ink-2 text-note">
        <nav
          aria-label="Legal"
          className="flex flex-wrap gap-x-5 gap-y-2 [&>a:hover]:text-ink [&>a]:rounded-control [&>a]:no-underline"
        >
          <Link to={paths.terms()}>Terms</Link>
          <Link to={paths.privacy()}>Privacy</Link>
          <Link to={paths.refundPolicy()}>Refund</Link>
          <Link to={paths.pricing()}>Pricing</Link>
        </nav>
        <a href={`mailto:${CONTACT}`} className="rounded-control no-underline hover:text-ink">
          {CONTACT}
        </a>
      </footer>
    </div>
  );
}

/** Starts signing in; amber where it is the one thing to do. */
export function SignIn({
  kind = "plain",
  size = "normal",
}: {
  kind?: "signal" | "plain";
  size?: "normal" | "large";
}) {
  return (
    <Button kind={kind} size={size} onClick={startLogin}>
      Sign in with GitHub
    </Button>
  );
}

/** A long text for reading, such as the legal pages. */
export function Reading({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <PublicFrame>
      <title>{`${title} · Groundcrew`}</title>
      <article className="prose-crew max-w-[68ch] py-10 text-[15px]">
        <h1 className="!text-[34px] !leading-tight !mt-0">{title}</h1>
        {note && <p className="text-ink-3 text-note">{note}</p>}
        {children}
      </article>
    </PublicFrame>
  );
}
