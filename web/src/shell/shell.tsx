import { type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import { useKeptScroll } from "../lib/kept-scroll";
import { paths } from "../lib/paths";
import { Mark, Wordmark } from "../ui/mark";
import { OfflineBar } from "../ui/states";
import { UserMenu } from "./user-menu";

interface ShellProps {
  /** The rail's content between the mark and the user. */
  rail: ReactNode;
  /** The top bar's content, in windows without the rail. */
  bar: ReactNode;
  /**
   * Whether the page fills the window and its cards scroll instead of the page. If the window is too low for the
   * minimum height of the cards, the page scrolls too.
   */
  fixed?: boolean;
  /** Below the content, in sight at any scroll position. */
  foot?: ReactNode;
  children: ReactNode;
}

const toContent = () => document.getElementById("content")?.focus();

/**
 * The frame of the application: a rail on the left, whose ends stay while its middle scrolls, and which becomes a top
 * bar in narrow windows.
 */
export function Shell({ rail, bar, fixed, foot, children }: ShellProps) {
  const content = useKeptScroll<HTMLElement>("page");
  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        onClick={toContent}
        className="sr-only z-60 rounded-control bg-raised px-4 py-2.5 font-[560] shadow-xl focus:not-sr-only focus:absolute! focus:top-2 focus:left-2 focus:px-4! focus:py-2.5!"
      >
        Skip to content
      </button>
      <div className="flex min-h-0 flex-1 max-narrow:flex-col">
        <aside className="flex w-66 shrink-0 flex-col border-line border-r pt-4.5 max-narrow:hidden">
          <div className="shrink-0 px-4">
            <Wordmark to={paths.projects()} />
          </div>
          <div className="mt-2 flex min-h-0 flex-1 flex-col overflow-y-auto px-4 pt-2 pb-4">{rail}</div>
          <div className="shrink-0 border-line border-t px-4 py-2">
            <UserMenu />
          </div>
        </aside>
        <header className="flex shrink-0 items-center gap-3 border-line border-b px-4 py-2.5 narrow:hidden">
          <Link to={paths.projects()} aria-label="Groundcrew, my projects" className="rounded-control">
            <Mark size={26} />
          </Link>
          <div className="min-w-0 flex-1">{bar}</div>
          <UserMenu compact />
        </header>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <main
            ref={content}
            id="content"
            tabIndex={-1}
            className={
              fixed
                ? "relative flex outline-none min-h-0 min-w-0 flex-1 flex-col overflow-y-auto print:overflow-visible"
                : "relative outline-none min-h-0 min-w-0 flex-1 overflow-y-auto"
            }
          >
            {children}
          </main>
          <Suspense>{foot}</Suspense>
        </div>
      </div>
      <OfflineBar />
    </div>
  );
}
