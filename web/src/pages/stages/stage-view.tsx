import { lazy, type ReactNode, Suspense } from "react";
import type { ThreadAgent } from "../../api/planning";
import { useArrival } from "../../lib/arrival";
import { lazyPart } from "../../lib/lazy-part";
import { entryOf } from "../../lib/table";
import { ArchitecturePlanCard } from "../../planning/architecture-plan";
import { ImplementationPlanCard } from "../../planning/implementation-plan";
import { PlanningChat } from "../../planning/planning-chat";
import { RequirementsCard } from "../../planning/requirements";
import { SandboxPill } from "../../sandbox/sandbox-pill";
import { SandboxWarning } from "../../sandbox/sandbox-warning";
import type { Stage } from "../../stages/stages";
import { Card } from "../../ui/card";
import { Split } from "../../ui/split";
import { Empty, Skeleton } from "../../ui/states";

const ExecutionCard = lazy(lazyPart(() => import("../../execution/card")));
const ExecutionPanel = lazy(lazyPart(() => import("../../execution/panel")));
const ValidationCard = lazy(lazyPart(() => import("../../validation/card")));
const ValidationPanel = lazy(lazyPart(() => import("../../validation/panel")));

/** One line under the stage's name: what happens here. */
const SUBTITLES: Record<ThreadAgent, ReactNode> = {
  "requirements-gatherer": (
    <>
      Say what you need. The list <Beside /> is what everything else is built on.
    </>
  ),
  "cloud-architect": (
    <>
      Talk it over. The plan <Beside /> is what gets built.
    </>
  ),
  "implementation-planner": "Steps, files and commands, before anything runs.",
  executor: "An agent prepares each step. Nothing runs until you approve the exact command.",
  validator: "Proof that what was built works: every check keeps what it printed.",
  // These work on the project's home.
  documenter: undefined,
  "devops-helper": undefined,
};

/** Where the side card is; hidden in windows where that card is behind a tab. */
function Beside() {
  return <span className="max-wide:hidden">on the right</span>;
}

export function StageView({ projectId, stage }: { projectId: number; stage: Stage }) {
  const title = useArrival<HTMLHeadingElement>();
  const sandboxed = stage.agent_id === "executor" || stage.agent_id === "validator";
  return (
    <div className="flex flex-1 flex-col px-6.5 pt-5.5 pb-5.5 max-narrow:px-3.5 tight:pt-3.5 tight:pb-3.5">
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-4 gap-y-1.5 tight:mb-3">
        <div>
          <h1 ref={title} tabIndex={-1} className="w-fit rounded-control text-title">
            {stage.name}
          </h1>
          <p className="text-ink-2 tight:hidden">{entryOf(SUBTITLES, stage.agent_id) ?? stage.description}</p>
        </div>
        {sandboxed && <SandboxPill projectId={projectId} />}
      </header>
      {sandboxed && <SandboxWarning projectId={projectId} className="-mt-2 mb-4" />}
      <StageCards projectId={projectId} stage={stage} />
    </div>
  );
}

function StageCards({ projectId, stage }: { projectId: number; stage: Stage }) {
  const agent = stage.agent_id;
  const card = { projectId, completed: stage.is_completed };
  if (!agent) return <Notice title="No agent configured for this stage" />;
  switch (agent) {
    case "requirements-gatherer":
      return (
        <Split
          name="requirements"
          share={50}
          mainLabel="Chat"
          sideLabel="Current requirements"
          main={<PlanningChat projectId={projectId} agent={agent} />}
          side={<RequirementsCard {...card} />}
        />
      );
    case "cloud-architect":
      return (
        <Split
          name="architecture"
          share={48}
          mainLabel="Chat"
          sideLabel="Architecture plan"
          main={<PlanningChat projectId={projectId} agent={agent} />}
          side={<ArchitecturePlanCard {...card} />}
        />
      );
    case "implementation-planner":
      return (
        <Split
          name="implementation"
          share={48}
          mainLabel="Chat"
          sideLabel="Implementation plan"
          main={<PlanningChat projectId={projectId} agent={agent} />}
          side={<ImplementationPlanCard {...card} />}
        />
      );
    case "executor":
      return (
        <Split
          name="execution"
          share={56}
          mainLabel="Steps"
          sideLabel="Chat, terminal and files"
          main={
            <Suspense fallback={<CardSkeleton label="Execution progress" />}>
              <ExecutionCard {...card} />
            </Suspense>
          }
          side={
            <Suspense fallback={<CardSkeleton label="Chat, terminal and files" />}>
              <ExecutionPanel projectId={projectId} />
            </Suspense>
          }
        />
      );
    case "validator":
      return (
        <Split
          name="validation"
          share={56}
          mainLabel="Checks"
          sideLabel="Plan, chat and tools"
          main={
            <Suspense fallback={<CardSkeleton label="Validation progress" />}>
              <ValidationCard {...card} />
            </Suspense>
          }
          side={
            <Suspense fallback={<CardSkeleton label="Plan, requirements, chat, terminal and files" />}>
              <ValidationPanel projectId={projectId} />
            </Suspense>
          }
        />
      );
    case "documenter":
    case "devops-helper":
      return <Notice title="Unknown agent type" />;
    default:
      agent satisfies never;
      return <Notice title="Unknown agent type" />;
  }
}

function Notice({ title }: { title: string }) {
  return (
    <Card label={title} className="flex-1">
      <Empty title={title}>This stage cannot be worked on here.</Empty>
    </Card>
  );
}

function CardSkeleton({ label }: { label: string }) {
  return (
    <Card label={label}>
      <Skeleton className="m-4.5 h-16" />
    </Card>
  );
}
