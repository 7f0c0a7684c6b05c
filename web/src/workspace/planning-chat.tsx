import { useQuery, useQueryClient } from "@tanstack/react-query";
import { credentialsKey } from "../api/credentials";
import { type PlanningAgent, planKey, requirementsKey } from "../api/planning";
import { projectStateQuery } from "../api/project-states";
import { projectQuery } from "../api/projects";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
import { DEPLOYMENTS } from "../lib/deployments";
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

/** Suggested messages; a project that was described when it was created begins with its description. */
function repliesFor(agent: PlanningAgent, description: string | null | undefined, wish: string | undefined) {
  const gathers = agent === "requirements-gatherer";
  const first = !gathers ? REPLIES[agent] : description ? [description] : DEPLOYMENTS.map(({ wish }) => wish);
  // A change begins with its request, including for a user who returns before sending it.
  return { first, later: gathers && wish ? [wish, "What is still open?"] : REPLIES[agent] };
}

const DOCUMENT_KEYS: Record<PlanningAgent, (projectId: number) => readonly unknown[]> = {
  "requirements-gatherer": requirementsKey,
  "cloud-architect": (projectId) => planKey(projectId, "architecture"),
  "implementation-planner": (projectId) => planKey(projectId, "implementation"),
};

/** The chat of a planning stage; what the agent writes appears next to it at once. */
export function PlanningChat({ projectId, agent }: { projectId: number; agent: PlanningAgent }) {
  const queries = useQueryClient();
  const project = useQuery(projectQuery(projectId));
  const { data: state } = useQuery(projectStateQuery(projectId));
  const wish = state?.change && !state.change.is_completed ? state.change.wish : undefined;
  const texts = { ...TEXTS[agent], replies: repliesFor(agent, project.data?.description, wish) };
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
