import { useQuery, useQueryClient } from "@tanstack/react-query";
import { problemText } from "../api/errors";
import { sandboxKey, sandboxQuery, startSandbox } from "../api/sandbox";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { displayedStatus } from "./container";

interface SandboxNeededProps {
  projectId: number;
  detail: string;
  /** What happens once the sandbox is running. */
  then?: string;
}

const CONNECTS = "It reconnects automatically.";

/** Shown above content that needs a sandbox; offers to start it. */
export function SandboxNeeded({ projectId, detail, then = CONNECTS }: SandboxNeededProps) {
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
            ? `The sandbox is not running. ${then}`
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
