import { useQuery, useQueryClient } from "@tanstack/react-query";
import { documentsKey, documentsQuery, standingOf } from "../api/documents";
import type { Progress } from "../api/execution";
import {
  checksKey,
  checksQuery,
  InvalidPlan,
  VALIDATION_CHAT,
  type ValidationPlan,
  validationPlanKey,
  validationPlanQuery,
} from "../api/validation";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
import { Document } from "../stages/document";
import { SidePanel, ThreadLine } from "../stages/side-panel";
import { ToStage } from "../stages/stage-link";
import { STAGE } from "../stages/stages";
import { endedRuns } from "../steps/rules";
import { DocumentSkeleton, Empty, Failure } from "../ui/states";
import { OutOfDate } from "../versions/out-of-date";
import { VersionsButton } from "../versions/versions-button";
import { whyOld } from "../versions/words";
import { Requirements } from "./requirements";

const TEXTS: ChatTexts = {
  title: "Validator",
  placeholder: "Ask about a check, or ask for others",
  greeting:
    "I prove that what was built works: each check runs in your sandbox and keeps what it printed as evidence. Ask me about a result, for other checks, or for a report once they have run.",
  multiline: false,
};

const stampOf = (progress: Progress) => endedRuns(progress.steps);

/** The content next to the checks: their plan, the report once there is one, the validator, the terminal, the files. */
export default function ValidationPanel({ projectId }: { projectId: number }) {
  const plan = useQuery(validationPlanQuery(projectId));
  const stamp = useQuery({ ...checksQuery(projectId), select: stampOf });
  const reported = plan.data !== undefined && plan.data.report !== "";
  const tabs = [
    { value: "plan", label: "Plan", content: <Plan projectId={projectId} plan={plan} /> },
    ...(reported
      ? [{ value: "report", label: "Report", content: <Document label="Report" text={plan.data.report} /> }]
      : []),
    {
      value: "requirements",
      label: "Requirements",
      content: <Requirements projectId={projectId} stamp={stamp.data} />,
    },
    { value: "chat", label: "Chat", content: <ValidatorChat projectId={projectId} /> },
  ];
  return (
    <SidePanel
      projectId={projectId}
      label="Plan, requirements, chat, terminal and files"
      stamp={stamp.data}
      tabs={tabs}
      first={reported ? "report" : "plan"}
    />
  );
}

interface PlanProps {
  projectId: number;
  plan: { data: ValidationPlan | undefined; error: Error | null; isPending: boolean; refetch: () => unknown };
}

function Plan({ projectId, plan }: PlanProps) {
  if (plan.data) {
    return plan.data.plan === "" ? (
      <Empty title="No validation plan yet">The validator writes it from what was built.</Empty>
    ) : (
      <>
        <OldChecks projectId={projectId} />
        <Document label="Validation plan" text={plan.data.plan}>
          <div className="float-right">
            <VersionsButton projectId={projectId} document="validation" />
          </div>
        </Document>
      </>
    );
  }
  if (plan.error) return <Failure title={planProblem(plan.error)} retry={() => void plan.refetch()} />;
  return <DocumentSkeleton label="Loading validation plan..." />;
}

/** Says that the checks were planned for other steps; going through the execution plans them again. */
function OldChecks({ projectId }: { projectId: number }) {
  const documents = useQuery(documentsQuery(projectId));
  const moved = standingOf(documents.data, "validation")?.out_of_date;
  if (!moved) return null;
  return (
    <OutOfDate
      why={whyOld("validation", moved)}
      action={
        <ToStage projectId={projectId} from={STAGE.validation} to={STAGE.execution}>
          Go to the execution
        </ToStage>
      }
    />
  );
}

function planProblem(error: Error): string {
  if (error instanceof InvalidPlan) return error.message;
  return `Error fetching validation plan: ${error.message || "Unknown error"}`;
}

function ValidatorChat({ projectId }: { projectId: number }) {
  const queries = useQueryClient();
  const changed = () => {
    void queries.invalidateQueries({ queryKey: validationPlanKey(projectId) });
    void queries.invalidateQueries({ queryKey: checksKey(projectId) });
    void queries.invalidateQueries({ queryKey: documentsKey(projectId) });
  };
  return (
    <Chat
      source={{ projectId, agent: "validator", path: VALIDATION_CHAT, method: "POST" }}
      texts={TEXTS}
      onChange={changed}
      header={(threadId) =>
        threadId && (
          <ThreadLine>
            <ThreadId id={threadId} />
          </ThreadLine>
        )
      }
    />
  );
}
