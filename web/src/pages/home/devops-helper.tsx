import { useState } from "react";
import { HELPER_CHAT } from "../../api/devops-helper";
import { Chat, type ChatTexts, ThreadId } from "../../chat/chat";
import { accept, isAccepted } from "../../devops-helper/acceptance";
import { OpenCommands } from "../../devops-helper/open-commands";
import { Warning } from "../../devops-helper/warning";
import { useProjectRoute } from "../../project/route";
import { Card, CardHeader } from "../../ui/card";

const TEXTS: ChatTexts = {
  title: "DevOps Helper",
  placeholder: "Ask about your infrastructure, or what to do with it",
  greeting:
    "I know this project's plans, addresses and documentation, and can look at your sandbox and your server. Ask me what runs where, why something fails, or to change something. Read-only commands run immediately; everything else waits for your approval here.",
  multiline: true,
  failures: {
    send: "Failed to send message. Please try again.",
    stream: "Connection error. Please try again.",
  },
};

/** The chat with the DevOps helper, once the user has accepted the warning about what it can do. */
export function Component() {
  const { projectId } = useProjectRoute();
  const [accepted, setAccepted] = useState(isAccepted);
  return (
    <Card label="DevOps Helper Chat" className="flex-1">
      <Chat
        source={{ projectId, agent: "devops-helper", path: HELPER_CHAT, method: "POST" }}
        texts={TEXTS}
        after={(shown) => <OpenCommands projectId={projectId} shown={shown} />}
        header={(threadId) => (
          <CardHeader title="DevOps Helper Chat">
            <ThreadId id={threadId} />
          </CardHeader>
        )}
      />
      {!accepted && (
        <Warning
          projectId={projectId}
          onAccept={() => {
            accept();
            setAccepted(true);
          }}
        />
      )}
    </Card>
  );
}
