import { useQuery } from "@tanstack/react-query";
import { sandboxQuery } from "../api/sandbox";
import { Pill } from "../ui/pill";
import { containerLabel, containerTone } from "./container";

/** The sandbox's state, next to the title of the execution. */
export function SandboxPill({ projectId }: { projectId: number }) {
  const sandbox = useQuery(sandboxQuery(projectId));
  if (!sandbox.data) return null;
  const status = sandbox.data.container_status;
  return (
    <Pill tone={containerTone(status)} live={status === "Pending" || status === "Waiting"}>
      Sandbox {containerLabel(status).toLowerCase()}
    </Pill>
  );
}
