import { useQuery } from "@tanstack/react-query";
import { sandboxQuery } from "../api/sandbox";
import { cx } from "../ui/class";

interface SandboxWarningProps {
  projectId: number;
  className: string;
}

/** Says that the sandbox will stop because the credits are used up, while there is still time. */
export function SandboxWarning({ projectId, className }: SandboxWarningProps) {
  const sandbox = useQuery(sandboxQuery(projectId));
  const warning = sandbox.data?.warning;
  return (
    <div role="status">
      {warning && (
        <p className={cx("rounded-control bg-signal-wash px-3 py-2 text-note", className)}>{warning}</p>
      )}
    </div>
  );
}
