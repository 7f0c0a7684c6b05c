import { Plus, RotateCcw, X } from "lucide-react";
import { Tabs } from "radix-ui";
import { lazy, Suspense, useCallback, useState } from "react";
import { lazyPart } from "../../lib/lazy-part";
import { useProjectRoute } from "../../project/route";
import { TerminalNeedsSandbox } from "../../sandbox/sandbox-needed";
import { CONNECTION_LABELS, CONNECTION_TONES, type ConnectionState } from "../../terminal/connection";
import { MAIN_TERMINAL } from "../../terminal/messages";
import { Card } from "../../ui/card";
import { Pill } from "../../ui/pill";
import { DocumentSkeleton } from "../../ui/states";
import { TAB } from "../../ui/tab";
import { Tool } from "../../ui/tool";
import { newTerminal, TERMINALS, useTerminals, withoutTerminal, withTerminal } from "./open-terminals";

const SandboxTerminal = lazy(lazyPart(() => import("../../terminal/terminal")));
const FileBrowser = lazy(lazyPart(() => import("../../files/browser")));

const titleOf = (name: string) => `Terminal ${TERMINALS.indexOf(name) + 1}`;

interface Connection {
  state: ConnectionState;
  detail: string;
}

const CONNECTING: Connection = { state: "connecting", detail: "" };

/** The sandbox's terminals, on a full page. A shell continues in the sandbox when its tab is closed. */
export function TerminalSection() {
  const { projectId } = useProjectRoute();
  const [terminals, setTerminals] = useTerminals(projectId);
  const [shown, setShown] = useState(MAIN_TERMINAL);
  const [connections, setConnections] = useState<Readonly<Record<string, Connection>>>({});
  const tell = useCallback(
    (name: string, connection: Connection) =>
      setConnections((connections) => ({ ...connections, [name]: connection })),
    [],
  );
  const connection = connections[shown] ?? CONNECTING;
  const fresh = newTerminal(terminals);
  const open = (name: string) => {
    setTerminals(withTerminal(terminals, name));
    setShown(name);
  };
  return (
    <Card label="Terminal" className="flex-1">
      <Tabs.Root value={shown} onValueChange={setShown} className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center gap-1 border-line border-b pr-3 pl-1.5">
          <Tabs.List aria-label="Terminals" className="flex min-w-0 overflow-x-auto [scrollbar-width:none]">
            {terminals.open.map((name) => (
              <Tabs.Trigger key={name} value={name} className={TAB}>
                {titleOf(name)}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {fresh && (
            <Tool label="New terminal" onClick={() => open(fresh)}>
              <Plus size={15} aria-hidden />
            </Tool>
          )}
          {terminals.closed.map((name) => (
            <Tool
              key={name}
              label={`Reopen ${titleOf(name)} (its shell continues)`}
              onClick={() => open(name)}
            >
              <RotateCcw size={14} aria-hidden />
            </Tool>
          ))}
          {shown !== MAIN_TERMINAL && (
            <Tool
              label={`Close ${titleOf(shown)} (its shell continues)`}
              onClick={() => {
                setTerminals(withoutTerminal(terminals, shown));
                setShown(MAIN_TERMINAL);
              }}
            >
              <X size={15} aria-hidden />
            </Tool>
          )}
          <span role="status" className="ml-auto shrink-0">
            <Pill
              tone={CONNECTION_TONES[connection.state]}
              live={CONNECTION_TONES[connection.state] === "run"}
            >
              {CONNECTION_LABELS[connection.state]}
            </Pill>
          </span>
        </div>
        {(connection.state === "waiting" || connection.state === "lost") && (
          <TerminalNeedsSandbox projectId={projectId} detail={connection.detail} />
        )}
        {terminals.open.map((name) => (
          <Tabs.Content
            key={name}
            value={name}
            forceMount
            tabIndex={-1}
            className="flex min-h-0 flex-1 flex-col bg-terminal data-[state=inactive]:hidden"
          >
            <Suspense fallback={null}>
              <OneTerminal projectId={projectId} name={name} tell={tell} />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </Card>
  );
}

interface OneTerminalProps {
  projectId: number;
  name: string;
  tell: (name: string, connection: Connection) => void;
}

function OneTerminal({ projectId, name, tell }: OneTerminalProps) {
  const onState = useCallback(
    (state: ConnectionState, detail: string) => tell(name, { state, detail }),
    [name, tell],
  );
  return <SandboxTerminal projectId={projectId} name={name} onState={onState} />;
}

/** The workspace's files. */
export function FilesSection() {
  const { projectId } = useProjectRoute();
  return (
    <Card label="Files" className="flex-1">
      <Suspense fallback={<DocumentSkeleton label="Loading files..." />}>
        <FileBrowser projectId={projectId} />
      </Suspense>
    </Card>
  );
}
