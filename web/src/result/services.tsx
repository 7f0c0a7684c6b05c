import { useQuery } from "@tanstack/react-query";
import { ExternalLink, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { problemText } from "../api/errors";
import { openPreview, portsQuery, sandboxQuery } from "../api/sandbox";
import { useOnce } from "../lib/use-once";
import { displayedStatus } from "../sandbox/container";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { openTab } from "./open-tab";

interface ServicesProps {
  projectId: number;
  /** Adds a title above the content. */
  titled: (content: ReactNode) => ReactNode;
}

/**
 * The services that listen inside the sandbox, each with its preview; renders nothing if previews are not available.
 */
export function Services({ projectId, titled }: ServicesProps) {
  const sandbox = useQuery(sandboxQuery(projectId));
  const running = displayedStatus(sandbox.data?.container_status) === "running";
  const ports = useQuery(portsQuery(projectId, running));
  const preview = useOnce({
    mutationFn: async (port: number) => openTab(() => openPreview(projectId, port)),
    onSettled: () => void ports.refetch(),
  });
  if (!sandbox.data || !ports.data?.previews) return ports.isError ? titled(failed(ports.error)) : null;
  const note = (text: string) => <p className="text-ink-2 text-note">{text}</p>;
  const again = (
    <Button size="small" pending={ports.isFetching} onClick={() => void ports.refetch()}>
      <RotateCw size={14} aria-hidden /> {ports.isFetching ? "Looking..." : "Look again"}
    </Button>
  );
  if (!running) return titled(note("The sandbox is not running. Start it to see what runs inside."));
  return titled(
    <>
      {ports.isError && failed(ports.error)}
      {preview.isError && <Problem>The preview could not be opened. {problemText(preview.error)}</Problem>}
      {!ports.data.answered && note("The sandbox does not answer. Look again in a moment.")}
      {ports.data.answered && ports.data.ports.length === 0 && note("No service listens in the sandbox.")}
      {ports.data.ports.length > 0 && (
        <>
          <p className="mb-2 text-ink-2 text-note">
            A preview opens in a new tab, for you alone and for 30 minutes. It carries neither cookies nor
            WebSockets.
          </p>
          <ul className="rounded-box border border-line">
            {ports.data.ports.map(({ port, program }) => (
              <li
                key={port}
                className="flex items-center justify-between gap-3 border-line border-b px-3.5 py-2 last:border-0"
              >
                <span className="min-w-0 break-words">
                  <span className="font-mono text-small">Port {port}</span>
                  {program && <span className="ml-2 text-ink-2 text-note">{program}</span>}
                </span>
                <Button
                  size="small"
                  aria-label={`Preview port ${port} (opens in a new tab)`}
                  pending={preview.isPending}
                  onClick={() => preview.mutate(port)}
                >
                  <ExternalLink size={14} aria-hidden /> Preview
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="mt-3">{again}</div>
    </>,
  );
}

const failed = (error: Error) => <Problem>The services could not be listed. {problemText(error)}</Problem>;
