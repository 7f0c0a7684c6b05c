import { useQueryClient } from "@tanstack/react-query";
import { progressKey } from "../api/execution";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
import { SidePanel, ThreadLine } from "../workspace/side-panel";

const TEXTS: ChatTexts = {
  title: "Execution agent",
  placeholder: "Ask about a step or its output",
  greeting:
    "I write the command of each step and read what it printed. Ask me what a command does, or why one failed.",
  multiline: false,
};

/** The chat with the execution agent and the sandbox's terminal. */
export default function ExecutionPanel({ projectId }: { projectId: number }) {
  const queries = useQueryClient();
  const chat = (
    <Chat
      source={{ projectId, agent: "executor", path: "/execution/agent", method: "GET" }}
      texts={TEXTS}
      onChange={() => void queries.invalidateQueries({ queryKey: progressKey(projectId) })}
      header={(threadId) =>
        threadId && (
          <ThreadLine>
            <ThreadId id={threadId} />
          </ThreadLine>
        )
      }
    />
  );
  return (
    <SidePanel
      projectId={projectId}
      label="Chat and terminal"
      first="terminal"
      tabs={[{ value: "chat", label: "Chat", content: chat }]}
    />
  );
}
