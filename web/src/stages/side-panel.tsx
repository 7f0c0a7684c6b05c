import { Tabs } from "radix-ui";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { lazyPart } from "../lib/lazy-part";
import { TerminalNeedsSandbox } from "../sandbox/sandbox-needed";
import { CONNECTION_LABELS, CONNECTION_TONES, type ConnectionState } from "../terminal/connection";
import { Card } from "../ui/card";
import { cx } from "../ui/class";
import { Pill } from "../ui/pill";
import { DocumentSkeleton } from "../ui/states";
import { TAB } from "../ui/tab";

const SandboxTerminal = lazy(lazyPart(() => import("../terminal/terminal")));
const FileBrowser = lazy(lazyPart(() => import("../files/browser")));

interface SidePanelProps {
  projectId: number;
  label: string;
  /** The tabs before the terminal's; all of them stay mounted while another is shown. */
  tabs: { value: string; label: string; content: ReactNode }[];
  /** The tab that is shown initially. */
  first: string;
  /** Changes when a command may have changed files. */
  stamp: string | undefined;
}

/** A stage's side card: its own tabs, the sandbox's terminal and its files; the address says which one is shown. */
export function SidePanel({ projectId, label, tabs, first, stamp }: SidePanelProps) {
  const [params, setParams] = useSearchParams();
  const values = [...tabs.map((tab) => tab.value), "terminal", "files"];
  const asked = params.get("panel");
  const tab = asked !== null && values.includes(asked) ? asked : first;
  // Both are loaded when they are first opened, and stay connected from then on.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([tab]));
  const [connection, setConnection] = useState<{ state: ConnectionState; detail: string }>({
    state: "connecting",
    detail: "",
  });
  const show = useCallback((state: ConnectionState, detail: string) => setConnection({ state, detail }), []);
  // A line below the tabs says so and has a button to start it: on a phone the tabs need the pill's space.
  const away = connection.state === "waiting" || connection.state === "lost";
  // The status does not fit beside more than three tabs.
  const crowded = values.length > 3;
  const status = (
    <span role="status" className={cx("shrink-0", away && "max-narrow:hidden")}>
      {tab === "terminal" && (
        <Pill tone={CONNECTION_TONES[connection.state]} live={CONNECTION_TONES[connection.state] === "run"}>
          {CONNECTION_LABELS[connection.state]}
        </Pill>
      )}
    </span>
  );
  const choose = (next: string) => {
    setOpened((opened) => new Set([...opened, next]));
    const others = (params: URLSearchParams) => {
      params.set("panel", next);
      return params;
    };
    setParams(others, { replace: true, preventScrollReset: true });
  };
  return (
    <Card label={label}>
      <Tabs.Root value={tab} onValueChange={choose} className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center justify-between gap-3 border-line border-b pr-3 pl-1.5">
          <Tabs.List aria-label={label} className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
            {tabs.map(({ value, label }) => (
              <Tabs.Trigger key={value} value={value} className={TAB}>
                {label}
              </Tabs.Trigger>
            ))}
            <Tabs.Trigger value="terminal" className={TAB}>
              Terminal
            </Tabs.Trigger>
            <Tabs.Trigger value="files" className={TAB}>
              Files
            </Tabs.Trigger>
          </Tabs.List>
          {!crowded && status}
        </div>
        {tabs.map(({ value, content }) => (
          <Pane key={value} value={value}>
            {content}
          </Pane>
        ))}
        <Pane value="terminal" className="bg-terminal">
          {crowded && (
            <div className="flex shrink-0 justify-end border-line border-b bg-surface px-3 py-1.5 has-[>span:empty]:hidden">
              {status}
            </div>
          )}
          {away && <TerminalNeedsSandbox projectId={projectId} detail={connection.detail} />}
          {opened.has("terminal") && (
            <Suspense fallback={<div className="flex-1 bg-terminal" />}>
              <SandboxTerminal projectId={projectId} onState={show} />
            </Suspense>
          )}
        </Pane>
        <Pane value="files">
          {opened.has("files") && (
            <Suspense fallback={<DocumentSkeleton label="Loading files..." />}>
              <FileBrowser projectId={projectId} stamp={stamp} />
            </Suspense>
          )}
        </Pane>
      </Tabs.Root>
    </Card>
  );
}

function Pane({
  value,
  className = "",
  children,
}: {
  value: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Tabs.Content
      value={value}
      forceMount
      tabIndex={-1}
      className={`flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden ${className}`}
    >
      {children}
    </Tabs.Content>
  );
}

/** The thread's id, for a chat without a title row. */
export function ThreadLine({ children }: { children: ReactNode }) {
  return <div className="flex shrink-0 justify-end border-line border-b px-4.5 py-1">{children}</div>;
}
