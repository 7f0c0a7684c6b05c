import { Fragment, useEffect, useMemo, useRef, useState } from "react";
import type { Marks } from "../api/drafts";
import { numbered } from "../lib/numbered";
import { useStickToEnd } from "../lib/stick";
import { preparedMessages } from "../stages/prepared-messages";
import { Scroll } from "../ui/scroll";
import { Failure, Skeleton } from "../ui/states";
import { Composer } from "./composer";
import { Message } from "./messages";
import { Suggestions } from "./suggestions";
import { awaitsDecision, type ChatMessage, canSendAgain, lastDelivered } from "./turn";
import { draftKey } from "./unsent";
import { type ChatFailures, type ChatSource, useChat } from "./use-chat";

export interface ChatTexts {
  /** The agent's name, which is also the card's title. */
  title: string;
  placeholder: string;
  /** The agent's first message; it is not part of the stored thread. */
  greeting: string;
  multiline: boolean;
  /** Suggested replies: before the first message, and after it; `once` is suggested until it has been sent. */
  replies?: { first: readonly string[]; later: readonly string[]; once?: string | undefined };
  failures?: ChatFailures;
}

interface ChatProps {
  source: ChatSource;
  texts: ChatTexts;
  onChange?: () => void;
  /** Draws the part above the messages, given the thread id once it is known. */
  header: (threadId: string | undefined) => React.ReactNode;
  /** Draws the part below the older messages, given the numbers of the commands in all messages. */
  after?: (shown: ReadonlySet<number>) => React.ReactNode;
  /** Draws the actions for the last message since the page was loaded, if the agent has answered it. */
  offer?: (said: string) => React.ReactNode;
}

/** A conversation: a header, messages that scroll, and the input, which stays in place. */
export function Chat({ source, texts, onChange, header, after, offer }: ChatProps) {
  const chat = useChat(source, { onChange, failures: texts.failures });
  const { box, content, toEnd } = useStickToEnd();
  const greeting = useMemo<ChatMessage>(
    () => ({ role: "assistant", content: texts.greeting, notes: [] }),
    [texts.greeting],
  );
  // Content from before the page was loaded is placed at the end of the loaded thread, and the conversation continues
  // below it. A message that was sent before the thread had loaded is not part of that thread.
  const [atLoad, setAtLoad] = useState<number>();
  if (atLoad === undefined && !chat.loading) setAtLoad(chat.before);
  const send = (message: string, marks?: Marks) => {
    toEnd();
    void chat.send(message, marks);
  };
  const unanswered = chat.messages.findLast((message) => message.role === "user")?.content;
  const again = unanswered === undefined || SECRET.test(unanswered) ? undefined : () => send(unanswered);
  const sent = lastDelivered(chat.messages.slice(atLoad));
  const said = sent === undefined || SECRET.test(sent) ? undefined : sent;
  const messages = numbered(chat.messages).map(({ key, item, last }) => (
    <Message
      key={key}
      message={item}
      agentName={texts.title}
      pending={chat.streaming && last}
      {...(last && canSendAgain(item) ? { onRetry: again } : {})}
    />
  ));
  // One list, so that a message that was sent before the thread loaded is not drawn again, and keeps the focus, when
  // the older messages appear above it.
  const older = atLoad ?? messages.length;
  const between = after && !chat.loading && (
    <Fragment key="between">{after(commandsIn(chat.messages))}</Fragment>
  );
  const shown = [...messages.slice(0, older), between, ...messages.slice(older)];
  usePreparedMessage(source, !chat.streaming && !chat.loading, send);
  return (
    <>
      {header(chat.threadId)}
      <Scroll
        ref={box}
        role="log"
        label={`Conversation with ${texts.title}`}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div ref={content} className="flex flex-col gap-4 px-4.5 py-4.5">
          <Message message={greeting} agentName={texts.title} pending={false} />
          {chat.loading && <HistorySkeleton />}
          {chat.earlierLeftOut && (
            <p className="text-center text-ink-3 text-tiny">
              This conversation is long. Its earlier messages are not shown.
            </p>
          )}
          {chat.problem !== undefined && (
            <Failure title="Earlier messages could not be loaded" error={chat.problem} retry={chat.retry} />
          )}
          {shown}
        </div>
      </Scroll>
      {offer && said !== undefined && !chat.streaming && offer(said)}
      <Suggestions replies={suggested(texts, chat)} onChoose={send} />
      <Composer
        key={chat.timesReturned}
        draft={draftKey(source.projectId, source.agent)}
        label={`Message to ${texts.title}`}
        placeholder={
          chat.streaming && awaitsDecision(chat.messages)
            ? "Approve or reject the command first."
            : texts.placeholder
        }
        multiline={texts.multiline}
        disabled={chat.streaming}
        onSend={send}
      />
    </>
  );
}

/** Suggested messages, while no turn is in progress. */
function suggested(
  { replies }: ChatTexts,
  chat: { streaming: boolean; loading: boolean; messages: readonly ChatMessage[] },
) {
  if (!replies || chat.streaming || chat.loading) return [];
  const { first, later, once } = replies;
  const isSent = chat.messages.some(({ role, content }) => role === "user" && content === once);
  if (once !== undefined && !isSent) return [once, ...later];
  return chat.messages.length === 0 ? first : later;
}

/** Sends the message that another part of the page prepared, once no turn is in progress. */
function usePreparedMessage(
  { projectId, agent }: ChatSource,
  free: boolean,
  send: (message: string) => void,
) {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (!free) return;
    const take = () => {
      const message = preparedMessages.take(projectId, agent);
      if (message !== undefined) latest.current(message);
    };
    take();
    return preparedMessages.subscribe(take);
  }, [free, projectId, agent]);
}

/** A message that names a sealed secret can only be typed again: the page does not have its value. */
const SECRET = /\{\{secret:/;

const commandsIn = (messages: readonly ChatMessage[]): ReadonlySet<number> =>
  new Set(messages.flatMap((message) => message.commands?.map((command) => command.number) ?? []));

export function ThreadId({ id }: { id: string | undefined }) {
  return id === undefined ? null : (
    <span title={id} className="min-w-0 shrink-[9999] truncate font-mono text-ink-3 text-tiny">
      Thread ID {id.length > 12 ? id.slice(0, 8) : id}
    </span>
  );
}

function HistorySkeleton() {
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading earlier messages...</span>
      <Skeleton className="ml-auto h-9 w-1/2" />
      <Skeleton className="mt-2 h-3 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </div>
  );
}
