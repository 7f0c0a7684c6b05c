import {
  BookOpen,
  FilePenLine,
  FileText,
  FolderTree,
  GitPullRequestArrow,
  Globe,
  History,
  LayoutList,
  MessageSquareText,
  Rocket,
  SquareTerminal,
  Table2,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { paths } from "../../lib/paths";
import { cx } from "../../ui/class";
import { Pill } from "../../ui/pill";

interface SectionsProps {
  projectId: number;
  /** Whether there is configuration data to show; undefined until the documentation is written. */
  configured: boolean | undefined;
  /** Whether what was built has drifted. */
  drifted: boolean;
}

/**
 * The entry that comes with the documentation; until then its place is empty, so that nothing moves under the pointer.
 */
const CONFIGURATION = "Configuration Data";

const sections = ({ projectId, configured, drifted }: SectionsProps) => ({
  helper: {
    to: paths.home(projectId, "devops-helper"),
    label: "DevOps Helper Chat",
    Icon: MessageSquareText,
  },
  tools: [
    { to: paths.home(projectId, "terminal"), label: "Terminal", Icon: SquareTerminal },
    { to: paths.home(projectId, "files"), label: "Files", Icon: FolderTree },
    { to: paths.home(projectId, "backups"), label: "Backups", Icon: History },
  ],
  result: { to: paths.home(projectId, "result"), label: "What was built", Icon: Globe, drifted },
  changes: { to: paths.home(projectId, "changes"), label: "Changes", Icon: FilePenLine },
  repository: { to: paths.home(projectId, "repository"), label: "Repository", Icon: GitPullRequestArrow },
  documents: [
    { to: paths.home(projectId), label: "Quick Start Guide", Icon: Rocket },
    { to: paths.home(projectId, "documentation"), label: "Full Documentation", Icon: FileText },
    { to: paths.home(projectId, "environment-guide"), label: "Environment Guide", Icon: BookOpen },
    ...(configured
      ? [{ to: paths.home(projectId, "configuration"), label: CONFIGURATION, Icon: Table2 }]
      : []),
  ],
});

/** The sections of the project home, as the rail shows them. */
export function SectionRail(props: SectionsProps) {
  const { helper, tools, documents, result, changes, repository } = sections(props);
  return (
    <nav aria-label="Project home" className="-mx-1 flex flex-col gap-0.5">
      <Entry {...helper} />
      <Entry {...result} />
      <Entry {...changes} />
      <Entry {...repository} />
      <p className="label mt-4 mb-1 px-2.5">Project Documentation</p>
      {documents.map((entry) => (
        <Entry key={entry.to} {...entry} />
      ))}
      {props.configured === undefined && <span aria-hidden className="min-h-8" />}
      <p className="label mt-4 mb-1 px-2.5">Sandbox</p>
      {tools.map((entry) => (
        <Entry key={entry.to} {...entry} />
      ))}
      <p className="label mt-4 mb-1 px-2.5">How it was built</p>
      <Entry to={paths.project(props.projectId)} label="Stages" Icon={LayoutList} />
    </nav>
  );
}

/** The same sections on one scrolling line, for windows without a rail. */
export function SectionStrip(props: SectionsProps) {
  const { helper, tools, documents, result, changes, repository } = sections(props);
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: either one moves the current section.
  useEffect(() => {
    const current = strip.current?.querySelector("[aria-current=page]");
    current?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [pathname, props.configured]);
  return (
    <nav
      ref={strip}
      aria-label="Project home"
      className="flex shrink-0 gap-1 overflow-x-auto border-line border-b px-3.5 pt-2 narrow:hidden print:hidden"
    >
      {documents.map((entry) => (
        <Tab key={entry.to} {...entry} />
      ))}
      {props.configured === undefined && (
        <span aria-hidden className={cx(TAB, "invisible")}>
          {CONFIGURATION}
        </span>
      )}
      {[result, helper, changes, repository, ...tools].map((entry) => (
        <Tab key={entry.to} {...entry} />
      ))}
    </nav>
  );
}

const TAB = "whitespace-nowrap border-b-2 px-2 pb-2 font-[550] text-note";

interface EntryProps {
  to: string;
  label: string;
  drifted?: boolean;
}

function Tab({ to, label, drifted }: EntryProps) {
  return (
    <NavLink
      to={to}
      end
      className={({ isActive }) =>
        cx(
          TAB,
          "no-underline focus-visible:-outline-offset-2",
          isActive ? "border-signal text-ink" : "border-transparent text-ink-2",
        )
      }
    >
      {label} {drifted && <Pill tone="bad">drift</Pill>}
    </NavLink>
  );
}

function Entry({ to, label, drifted, Icon }: EntryProps & { Icon: typeof Rocket }) {
  return (
    <NavLink
      to={to}
      end
      className={({ isActive }) =>
        cx(
          "flex min-h-8 items-center gap-2.5 rounded-box border px-2.5 font-[550] no-underline transition-colors duration-150",
          isActive
            ? "border-line bg-raised text-ink shadow-xs"
            : "border-transparent text-ink-2 hover:bg-sunken hover:text-ink",
        )
      }
    >
      <Icon size={16} aria-hidden className="shrink-0" /> {label}
      {drifted && (
        <span className="ml-auto">
          <Pill tone="bad">drift</Pill>
        </span>
      )}
    </NavLink>
  );
}
