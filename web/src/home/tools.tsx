import { lazy, Suspense, useCallback, useState } from "react";
import { SandboxNeeded } from "../execution/sandbox-needed";
import { useProjectRoute } from "../lib/project-route";
import { LINK_LABELS, LINK_TONES, type LinkState } from "../terminal/link";
import { Card, CardHeader } from "../ui/card";
import { Pill } from "../ui/pill";
import { DocumentSkeleton } from "../ui/states";

const SandboxTerminal = lazy(() => import("../terminal/terminal"));
const FileBrowser = lazy(() => import("../files/browser"));

/** The sandbox's terminal, with the whole page to itself. */
export function TerminalSection() {
  const { projectId } = useProjectRoute();
  const [link, setLink] = useState<{ state: LinkState; detail: string }>({ state: "connecting", detail: "" });
  const show = useCallback((state: LinkState, detail: string) => setLink({ state, detail }), []);
  return (
    <Card label="Terminal" className="flex-1">
      <CardHeader title="Terminal">
        <span role="status">
          <Pill tone={LINK_TONES[link.state]} live={LINK_TONES[link.state] === "run"}>
            {LINK_LABELS[link.state]}
          </Pill>
        </span>
      </CardHeader>
      <div className="flex min-h-0 flex-1 flex-col bg-terminal">
        {(link.state === "waiting" || link.state === "lost") && (
          <SandboxNeeded projectId={projectId} detail={link.detail} />
        )}
        <Suspense fallback={<div className="flex-1 bg-terminal" />}>
          <SandboxTerminal onState={show} />
        </Suspense>
      </div>
    </Card>
  );
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
