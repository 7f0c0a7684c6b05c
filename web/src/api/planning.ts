import { queryOptions } from "@tanstack/react-query";
import { unquoted } from "../lib/text";
import { api, body, done, type Schemas, text as textOf } from "./client";
import { documentsKey } from "./documents";

export type PlanningAgent = "requirements-gatherer" | "cloud-architect" | "implementation-planner";
export type ThreadAgent = Schemas["AgentId"];
export type ThreadMessage = Schemas["ThreadMessage"];
export type Thread = Schemas["ThreadBody"];

/** How often the requirements and the plans are read again, in milliseconds. */
const DOCUMENT_POLL_MS = 5_000;

export type PlanKind = "architecture" | "implementation";
type PlanStatus = "empty" | "generating" | "ready" | "failed";

export interface Plan {
  text: string;
  status: PlanStatus;
  /** Changes with each writing. */
  id: string | undefined;
  /** The reason of the failure, or what the agent waits for while it writes, in words for its reader. */
  detail: string | undefined;
  updatedAt: string | undefined;
}

const PLAN_PATHS = {
  architecture: "/planning/architecture-plan",
  implementation: "/planning/implementation-plan",
} as const;

const PLAN_WRITERS = { architecture: "cloud-architect", implementation: "implementation-planner" } as const;

export const requirementsKey = (projectId: number) => ["planning", projectId, "requirements"];
export const planKey = (projectId: number, kind: PlanKind) => ["planning", projectId, "plan", kind];
export const threadKey = (projectId: number, agent: ThreadAgent) => ["planning", projectId, "thread", agent];

export const requirementsQuery = (projectId: number) =>
  queryOptions({
    queryKey: requirementsKey(projectId),
    queryFn: async ({ client }) => {
      const requirements = await body(api.GET("/planning/requirements"));
      const content = unquoted(requirements.content);
      const before = client.getQueryData<{ content: string }>(requirementsKey(projectId));
      if (before && before.content !== content)
        void client.invalidateQueries({ queryKey: documentsKey(projectId) });
      return { ...requirements, content };
    },
    refetchInterval: DOCUMENT_POLL_MS,
  });

/** A plan; when its status changes, the conversation of its agent is read again. */
export const planQuery = (projectId: number, kind: PlanKind) =>
  queryOptions({
    queryKey: planKey(projectId, kind),
    queryFn: async ({ client }): Promise<Plan> => {
      const plan = await readPlan(kind);
      const before = client.getQueryData<Plan>(planKey(projectId, kind));
      if (before && before.status !== plan.status) {
        void client.invalidateQueries({ queryKey: threadKey(projectId, PLAN_WRITERS[kind]) });
      }
      if (before && (before.status !== plan.status || before.text !== plan.text)) {
        void client.invalidateQueries({ queryKey: documentsKey(projectId) });
      }
      return plan;
    },
    refetchInterval: DOCUMENT_POLL_MS,
  });

async function readPlan(kind: PlanKind): Promise<Plan> {
  const { text: sent, headers } = await textOf(api.GET(PLAN_PATHS[kind], { parseAs: "text" }));
  const text = unquoted(sent);
  const detail = headers.get("Plan-Detail");
  return {
    text,
    status: planStatus(headers.get("Plan-Status")) ?? (text ? "ready" : "empty"),
    id: headers.get("Plan-Id") ?? undefined,
    detail: detail ? decodeURIComponent(detail) : undefined,
    updatedAt: headers.get("Last-Modified") ?? undefined,
  };
}

function planStatus(header: string | null): PlanStatus | undefined {
  switch (header) {
    case "empty":
    case "generating":
    case "ready":
    case "failed":
      return header;
    default:
      return undefined;
  }
}

export const threadQuery = (projectId: number, agent: ThreadAgent) =>
  queryOptions({
    queryKey: threadKey(projectId, agent),
    queryFn: () => body(api.GET("/planning/threads/{agent}", { params: { path: { agent } } })),
    staleTime: DOCUMENT_POLL_MS,
  });

/** Requests a plan, which is written in the background. */
export const triggerPlan = (kind: PlanKind) =>
  done(api.POST(`/planning/${PLAN_WRITERS[kind]}`, { body: { message: `Generate ${kind} plan` } }));
