import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { auditQuery } from "../api/audit";
import type { Change } from "../api/changes";
import { progressQuery } from "../api/execution";
import { paths } from "../lib/paths";
import { STAGE } from "../stages/stages";
import { buttonClass } from "../ui/button";
import { AbandonChange } from "./abandon-change";
import { endingOf } from "./ending";

/** The way to end a change that is not completed; its rollback is in its execution. */
export function EndChange({ projectId, change }: { projectId: number; change: Change }) {
  const audit = useQuery(auditQuery(projectId));
  const progress = useQuery(progressQuery(projectId));
  if (progress.isPending) return null;
  const ending = endingOf(change, audit.data, progress.data);
  if (ending === "abandon") return <AbandonChange projectId={projectId} number={change.number} />;
  if (ending !== "roll_back" && ending !== "end") return null;
  return (
    <Link to={paths.project(projectId, STAGE.execution)} className={buttonClass("plain", "small")}>
      {ending === "end" ? "End this rolled back change" : "Roll back first"}
    </Link>
  );
}
