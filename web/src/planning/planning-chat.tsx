import { useQuery, useQueryClient } from "@tanstack/react-query";
import { credentialsKey } from "../api/credentials";
import { type PlanningAgent, planKey, requirementsKey, requirementsQuery } from "../api/planning";
import { projectStateQuery } from "../api/project-states";
import { projectQuery } from "../api/projects";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
import { BEGINNINGS } from "../lib/deployments";
import { Card, CardHeader } from "../ui/card";

const TEXTS: Record<PlanningAgent, ChatTexts> = {
  "requirements-gatherer": {
    title: "Requirements agent",
    placeholder: "Describe what you need",
    greeting:
      "Tell me what you want to run: the application, who uses it, where it should live, and what it may cost. I ask about what is missing and keep the list of what is agreed. Please enter keys in the credentials form.",
    multiline: true,
  },
  "cloud-architect": {
    title: "Cloud architect",
    placeholder: "Ask about the plan, or ask for changes",
    greeting:
      "I turn your requirements into an architecture. Ask why something is the way it is, or tell me what to change.",
    multiline: false,
  },
  "implementation-planner": {
    title: "Implementation planner",
    placeholder: "Ask about a step, or ask for changes",
    greeting:
      "I break the architecture into steps that run one after another. Ask about any of them, or tell me what to change.",
    multiline: false,
  },
};

const REPLIES: Record<PlanningAgent, readonly string[]> = {
  "requirements-gatherer": ["Use the defaults", "What is still open?"],
  "cloud-architect": ["What are the risks?", "What does it cost in a month?", "Could it be simpler?"],
  "implementation-planner": ["Which steps change something?", "What could go wrong?"],
};

interface Situation {
  description: string | null | undefined;
  /** The request of the change under way. */
  wish: string | undefined;
  /** Whether the requirements are complete: nothing is open then, and nothing waits for a default. */
  ready: boolean;
}

/** Suggested messages; a project that was described when it was created begins with its description. */
function repliesFor(agent: PlanningAgent, { description, wish, ready }: Situation) {
  if (agent !== "requirements-gatherer") return { first: REPLIES[agent], later: REPLIES[agent] };
  const first = description ? [description] : BEGINNINGS.map(({ wish }) => wish);
  // A change begins with its request, including for a user who returns before sending it.
  return { first, later: ready ? [] : REPLIES[agent], once: wish };
}

const DOCUMENT_KEYS: Record<PlanningAgent, (projectId: number) => readonly unknown[]> = {
  "requirements-gatherer": requirementsKey,
  "cloud-architect": (projectId) => planKey(projectId, "architecture"),
  "implementation-planner": (projectId) => planKey(projectId, "implementation"),
};

const isReady = ({ ready_to_continue }: { ready_to_continue: boolean }) => ready_to_continue;

/** The chat of a planning stage; what the agent writes appears next to it at once. */
export function PlanningChat({ projectId, agent }: { projectId: number; agent: PlanningAgent }) {
  const queries = useQueryClient();
  const project = useQuery(projectQuery(projectId));
  const { data: state } = useQuery(projectStateQuery(projectId));
  const wish = state?.change && !state.change.is_completed ? state.change.wish : undefined;
  const ready = useQuery({ ...requirementsQuery(projectId), select: isReady }).data ?? false;
  const description = project.data?.description;
  const texts = { ...TEXTS[agent], replies: repliesFor(agent, { description, wish, ready }) };
  const changed = () => {
    void queries.invalidateQueries({ queryKey: DOCUMENT_KEYS[agent](projectId) });
    // The message may have contained a key, which the server has sealed by now.
    void queries.invalidateQueries({ queryKey: credentialsKey(projectId) });
  };
  return (
    <Card label={`${texts.title} chat`}>
      <Chat
        source={{ projectId, agent, path: `/planning/${agent}`, method: "POST" }}
        texts={texts}
        onChange={changed}
        header={(threadId) => (
          <CardHeader title={texts.title}>
            <ThreadId id={threadId} />
          </CardHeader>
        )}
      />
    </Card>
  );
}
