import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { documentsQuery, standingOf } from "../api/documents";
import { problemText } from "../api/errors";
import { type Plan, type PlanKind, planKey, triggerPlan } from "../api/planning";
import { useNow } from "../lib/now";
import { questionIn } from "../lib/question";
import { updatedAge } from "../lib/time";
import { useOnce } from "../lib/use-once";
import { Document } from "../stages/document";
import { ToStage } from "../stages/stage-link";
import { STAGE } from "../stages/stages";
import { Button } from "../ui/button";
import { Card, CardHeader } from "../ui/card";
import { Pill } from "../ui/pill";
import { DocumentSkeleton, Empty, Failure, Problem } from "../ui/states";
import { OutOfDate, Renew } from "../versions/out-of-date";
import { VersionsButton } from "../versions/versions-button";
import { whyOld } from "../versions/words";

interface PlanCardProps {
  projectId: number;
  kind: PlanKind;
  plan: UseQueryResult<Plan>;
  children: ReactNode;
}

const TITLES: Record<PlanKind, string> = {
  architecture: "Architecture plan",
  implementation: "Implementation plan",
};

/** A plan in each of its states, including while it is written; `children` is the bar below it. */
export function PlanCard({ projectId, kind, plan, children }: PlanCardProps) {
  const title = TITLES[kind];
  return (
    <Card label={title}>
      <CardHeader title={title}>
        <span className="flex items-center gap-2">
          <VersionsButton projectId={projectId} document={kind} />
          {plan.data && <PlanPill plan={plan.data} />}
        </span>
      </CardHeader>
      {plan.data && <OldPlan projectId={projectId} kind={kind} plan={plan.data} />}
      {plan.isPending && <DocumentSkeleton label={`Loading ${kind} plan...`} />}
      {plan.isError && !plan.data && (
        <Failure title={`Error loading ${kind} plan`} error={plan.error} retry={() => void plan.refetch()} />
      )}
      {plan.data && <PlanBody projectId={projectId} kind={kind} plan={plan.data} />}
      {children}
    </Card>
  );
}

/** Reports that the plan is older than its source; the source may have to be renewed first. */
function OldPlan({ projectId, kind, plan }: { projectId: number; kind: PlanKind; plan: Plan }) {
  const documents = useQuery(documentsQuery(projectId));
  const queries = useQueryClient();
  const renew = useOnce({
    mutationFn: () => triggerPlan(kind),
    onSettled: () => queries.invalidateQueries({ queryKey: planKey(projectId, kind) }),
  });
  const moved = standingOf(documents.data, kind)?.out_of_date;
  if (!moved || plan.status === "generating") return null;
  if (kind === "implementation" && moved === STAGE.requirements) {
    return (
      <OutOfDate
        why={`${whyOld(kind, moved)} The architecture plan comes first.`}
        action={
          <ToStage projectId={projectId} from={kind} to={STAGE.architecture}>
            Go to the architecture plan
          </ToStage>
        }
      />
    );
  }
  return (
    <OutOfDate
      why={whyOld(kind, moved)}
      action={
        <Renew
          label={["Renew the plan", "Asking..."]}
          busy={renew.isPending}
          onRenew={() => renew.mutate()}
        />
      }
      error={renew.error}
    />
  );
}

function PlanBody({ projectId, kind, plan }: { projectId: number; kind: PlanKind; plan: Plan }) {
  const queries = useQueryClient();
  const again = useOnce({
    mutationFn: () => triggerPlan(kind),
    onSettled: () => queries.invalidateQueries({ queryKey: planKey(projectId, kind) }),
  });
  const retry = (
    <Button size="small" pending={again.isPending} onClick={() => again.mutate()}>
      {again.isPending ? "Asking..." : "Write the plan"}
    </Button>
  );
  if (plan.text !== "") {
    return (
      <Document label={TITLES[kind]} text={plan.text}>
        {plan.status === "generating" && plan.detail && <WaitNotice text={plan.detail} />}
        {plan.status === "failed" && (
          <div className="mb-3">
            <WhyFailed plan={plan} />
          </div>
        )}
      </Document>
    );
  }
  switch (plan.status) {
    case "generating":
      return (
        <>
          {plan.detail && <WaitNotice text={plan.detail} />}
          <DocumentSkeleton label={`The ${kind} plan is being written...`} />
        </>
      );
    case "failed":
      return (
        <Empty
          title={questionIn(plan.detail) ? "The agent has a question" : "The plan could not be written"}
          action={retry}
        >
          {again.isError
            ? problemText(again.error)
            : (plan.detail ?? "The agent stopped before it was done.")}
        </Empty>
      );
    default:
      return (
        <Empty title="No plan yet" action={retry}>
          {again.isError
            ? problemText(again.error)
            : "Confirm the stage before this one, or ask for the plan here."}
        </Empty>
      );
  }
}

/** Why the last change of a plan failed: an error, or a question to the user. */
function WhyFailed({ plan }: { plan: Plan }) {
  const question = questionIn(plan.detail);
  if (question === undefined)
    return <Problem>{plan.detail ?? "The last change to this plan failed."}</Problem>;
  return <p className="font-[560] text-note">{plan.detail}</p>;
}

/** What the agent waits for while it writes. */
function WaitNotice({ text }: { text: string }) {
  return (
    <p role="status" className="mb-3 text-ink-2 text-note">
      {text}
    </p>
  );
}

function PlanPill({ plan }: { plan: Plan }) {
  const now = useNow();
  if (plan.status === "generating") {
    return (
      <Pill tone="run" live>
        writing
      </Pill>
    );
  }
  if (plan.status === "failed") {
    return questionIn(plan.detail) ? <Pill tone="signal">question</Pill> : <Pill tone="bad">failed</Pill>;
  }
  if (plan.text === "" || !plan.updatedAt) return null;
  return <Pill tone="run">{updatedAge(new Date(plan.updatedAt), now)}</Pill>;
}
