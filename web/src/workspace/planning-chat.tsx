import { useQueryClient } from "@tanstack/react-query";
import { credentialsKey } from "../api/credentials";
import { type PlanningAgent, planKey, requirementsKey } from "../api/planning";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
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

const DOCUMENT_KEYS: Record<PlanningAgent, (projectId: number) => readonly unknown[]> = {
  "requirements-gatherer": requirementsKey,
  "cloud-architect": (projectId) => planKey(projectId, "architecture"),
  "implementation-planner": (projectId) => planKey(projectId, "implementation"),
};

/** The chat of a planning stage; what the agent writes shows up beside it at once. */
export function PlanningChat({ projectId, agent }: { projectId: number; agent: PlanningAgent }) {
  const queries = useQueryClient();
  const texts = TEXTS[agent];
  const changed = () => {
    void queries.invalidateQueries({ queryKey: DOCUMENT_KEYS[agent](projectId) });
    // What was typed may have held a key: the server has sealed it by now.
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
