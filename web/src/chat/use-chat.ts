import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Marks, UNMARKED } from "../api/drafts";
import { type Thread, type ThreadAgent, threadKey, threadQuery } from "../api/planning";
import { costsKey } from "../api/projects";
import { asShortage } from "../api/shortage";
import { type ChatEvent, chat, SendFailed } from "../api/stream";
import { agentIsAtWork } from "../terminal/agent-at-work";
import {
  advance,
  asKept,
  CHAT_ERROR,
  type ChatMessage,
  failTurn,
  hasCommands,
  refuseTurn,
  startTurn,
  type Turn,
  withLater,
} from "./turn";
import { draftKey, dropSent, isHarmlessDraft, keepUnsent } from "./unsent";

export interface ChatSource {
  projectId: number;
  agent: ThreadAgent;
  path: string;
  method: "GET" | "POST";
}

/** The text in place of a reply: if the message was not accepted, and if the reply broke off. */
export interface ChatFailures {
  send: string;
  stream: string;
}

const FAILURES: ChatFailures = { send: CHAT_ERROR, stream: CHAT_ERROR };

/** How often to read a thread that waits for a reply without a stream, in milliseconds. */
const REPLY_POLL_MS = 5_000;
/** How often to read any other thread, in milliseconds: it may continue in another tab. */
const THREAD_POLL_MS = 10_000;

interface ChatHooks {
  /** Called when one of the agent's tools has done something, or the reply is complete: documents may have changed. */
  onChange?: (() => void) | undefined;
  failures?: ChatFailures | undefined;
}

/** A conversation with an agent: its stored thread and the current turn. */
export function useChat(source: ChatSource, { onChange, failures = FAILURES }: ChatHooks = {}) {
  const { projectId, agent, path, method } = source;
  const queries = useQueryClient();
  const [turn, setTurn] = useState<Turn>();
  const thread = useQuery({
    ...threadQuery(projectId, agent),
    // A reply that is written in the background arrives with the thread, and so do messages from another tab.
    refetchInterval: ({ state }) => {
      if (turn?.phase === "streaming") return false;
      return !turn && awaitsReply(state.data) ? REPLY_POLL_MS : THREAD_POLL_MS;
    },
  });
  const [streamedThread, setStreamedThread] = useState<string>();
  const [timesReturned, setTimesReturned] = useState(0);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const kept: ChatMessage[] = thread.data?.messages ?? [];
  const threadId = thread.data?.thread_id ?? streamedThread;
  const streaming = turn?.phase === "streaming";

  const send = useCallback(
    async (text: string, marks?: Marks) => {
      const message = text.trim();
      if (message === "" || abort.current) return;
      const controller = new AbortController();
      abort.current = controller;
      const key = threadKey(projectId, agent);
      const draft = draftKey(projectId, agent);
      // The input drops its draft as soon as this call returns.
      const harmless = isHarmlessDraft(draft, message);
      const before = queries.getQueryData<Thread>(key);
      setTurn((last) =>
        startTurn(last ? withLater(last, before?.messages ?? []) : (before?.messages ?? []), message),
      );
      const paint = frames((events) => setTurn((turn) => turn && advance(turn, events, failures.stream)));
      let failed = false;
      agentIsAtWork();
      try {
        const call = { path, method, message, threadId: threadId ?? undefined, marks };
        for await (const event of chat(call, controller.signal)) {
          dropSent(draft, message);
          agentIsAtWork();
          if (event.thread_id) setStreamedThread((known) => known ?? event.thread_id);
          if (event.event === "on_tool_end") onChange?.();
          if (event.event === "error") failed = true;
          paint.add(event);
        }
        paint.flush();
      } catch (error) {
        paint.flush();
        if (controller.signal.aborted) {
          // The reader left in the middle of the reply; the part that the server stored is read when they return.
          queries.removeQueries({ queryKey: key });
          return;
        }
        failed = true;
        console.error("The chat stream failed", error);
        const refused = error instanceof SendFailed ? error : undefined;
        if (refused) keepUnsent(draft, { message, marks: marks ?? UNMARKED }, harmless);
        else dropSent(draft, message);
        setTurn((turn) => turn && endFailed(turn, refused, failures));
        if (asShortage(refused?.code)) setTimesReturned((times) => times + 1);
      } finally {
        abort.current = undefined;
        void queries.invalidateQueries({ queryKey: costsKey(projectId) });
      }
      onChange?.();
      if (failed) return;
      await queries.refetchQueries({ queryKey: key }).catch(() => undefined);
      // Only a thread that has grown replaces the turn: an older answer would make the reply disappear.
      const kept = queries.getQueryData<Thread>(key);
      if (!kept || kept === before) return;
      setTurn((turn) => {
        if (turn?.phase !== "complete") return turn;
        return hasCommands(turn) ? asKept(turn, kept.messages) : undefined;
      });
    },
    [agent, failures, method, onChange, path, projectId, queries, threadId],
  );

  return {
    messages: turn ? withLater(turn, kept) : kept,
    /** How many of the messages are older than the current turn. */
    before: turn ? turn.before.length : kept.length,
    earlierLeftOut: thread.data?.earlier_left_out === true,
    threadId,
    streaming,
    timesReturned,
    loading: thread.isPending,
    problem: thread.isError && !thread.data ? thread.error : undefined,
    retry: () => void thread.refetch(),
    send,
  };
}

const endFailed = (turn: Turn, refused: SendFailed | undefined, { send, stream }: ChatFailures) =>
  refused ? refuseTurn(turn, send, asShortage(refused.code)) : failTurn(turn, undefined, stream);

const awaitsReply = (thread: Thread | undefined) => thread?.messages.at(-1)?.role === "user";

/** Collects events and passes them on once a frame, however many chunks the network cuts a reply into. */
function frames(paint: (events: ChatEvent[]) => void) {
  let waiting: ChatEvent[] = [];
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (waiting.length === 0) return;
    paint(waiting);
    waiting = [];
  };
  return {
    flush,
    add(event: ChatEvent) {
      waiting.push(event);
      if (!frame) frame = requestAnimationFrame(flush);
    },
  };
}
