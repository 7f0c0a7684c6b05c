import { useQuery, useQueryClient } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { sandboxKey, sandboxQuery, startSandbox } from "../api/sandbox";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { displayedStatus } from "./container";

interface SandboxNeededProps {
  projectId: number;
  detail: string;
  /** What it is needed for: "to use the terminal". */
  purpose: string;
  /** What happens once it runs, while it starts. */
  then: string;
}

/** Shown above content that needs a sandbox; offers to start it. */
export function SandboxNeeded({ projectId, detail, purpose, then }: SandboxNeededProps) {
  const queries = useQueryClient();
  const sandbox = useQuery(sandboxQuery(projectId));
  const start = useOnce({
    mutationFn: () => startSandbox(projectId),
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKey(projectId) }),
  });
  const stopped = displayedStatus(sandbox.data?.container_status) === "stopped";
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-3 border-line border-b bg-surface px-4.5 py-2.5">
      <p className="text-ink-2 text-note">
        {start.isError
          ? problemText(start.error)
          : stopped
            ? `The sandbox is stopped. Start it ${purpose}.`
            : detail || `The sandbox is starting. ${then}`}
      </p>
      {stopped && (
        <Button size="small" pending={start.isPending} onClick={() => start.mutate()}>
          {start.isPending ? "Starting sandbox..." : "Start Sandbox"}
        </Button>
      )}
    </div>
  );
}

/** Shown above a terminal without a sandbox. */
export function TerminalNeedsSandbox(props: Pick<SandboxNeededProps, "projectId" | "detail">) {
  return <SandboxNeeded {...props} purpose="to use the terminal" then="It reconnects automatically." />;
}
