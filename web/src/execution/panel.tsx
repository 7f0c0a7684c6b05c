import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Progress, progressKey, progressQuery } from "../api/execution";
import { Chat, type ChatTexts, ThreadId } from "../chat/chat";
import { SidePanel, ThreadLine } from "../stages/side-panel";
import { endedRuns } from "../steps/rules";
import { PrepareAgain } from "./prepare-again";

const TEXTS: ChatTexts = {
  title: "Execution agent",
  placeholder: "Ask about a step or its output",
  greeting:
    "I write the command of each step and read what it printed. Ask me what a command does, or why one failed.",
  multiline: false,
};

const stampOf = (progress: Progress) => endedRuns(progress.steps);

/** The chat with the execution agent, the sandbox's terminal and its files. */
export default function ExecutionPanel({ projectId }: { projectId: number }) {
  const queries = useQueryClient();
  const stamp = useQuery({ ...progressQuery(projectId), select: stampOf });
  const chat = (
    <Chat
      source={{ projectId, agent: "executor", path: "/execution/agent", method: "POST" }}
      texts={TEXTS}
      offer={(said) => <PrepareAgain projectId={projectId} said={said} />}
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
      label="Chat, terminal and files"
      first="terminal"
      stamp={stamp.data}
      tabs={[{ value: "chat", label: "Chat", content: chat }]}
    />
  );
}
