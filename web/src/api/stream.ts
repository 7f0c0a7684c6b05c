/**
 * Agent chats, streamed.
 *
 * A stream ends in a named way: with `on_chat_model_end`, with an `error` event before it, or with an abort when the
 * reader leaves. Otherwise it broke: closing early or falling silent is an error and never a short reply.
 */

import { sessionEnded } from "../lib/session";
import { API_BASE, readBody, type Schemas } from "./client";
import type { Marks } from "./drafts";
import { codeOf, type ErrorCode } from "./errors";
import { statusNamed } from "./execution";
import { callHeaders } from "./headers";
import { eventData } from "./sse";

/** A part of the reply, in the form of the contract. */
export type ChatEvent = Schemas["ChatStreamEvent"];

/** A command that an agent proposes, as shown before its approval. */
export type ProposedCommand = Schemas["ProposedCommand"];

interface ChatCall {
  path: string;
  method: "GET" | "POST";
  message: string;
  threadId: string | undefined;
  /** The author's corrections about the secrets in the message. */
  marks?: Marks | undefined;
}

/** The server sends something at least every 15 s; after three missed intervals the connection is dead. */
const SILENCE_MS = 45_000;

/** The message was not accepted, so no reply began. Has a stable code if the server sent one. */
export class SendFailed extends Error {
  readonly code: ErrorCode | undefined;

  constructor(message: string, options: ErrorOptions & { code?: ErrorCode | undefined } = {}) {
    super(message, options);
    this.code = options.code;
  }
}

/** Sends a message and yields the reply's events until it is complete. */
export async function* chat(call: ChatCall, signal: AbortSignal): AsyncGenerator<ChatEvent, void, void> {
  const silence = new AbortController();
  const until = AbortSignal.any([signal, silence.signal]);
  const response = await fetch(...request(call, until)).catch((cause: unknown) => {
    throw new SendFailed("The server cannot be reached", { cause });
  });
  if (response.status === 401) sessionEnded();
  if (!response.ok || !response.body) {
    const code = codeOf(await readBody(response).catch(() => undefined));
    throw new SendFailed(`HTTP error! status: ${response.status}`, { code });
  }
  for await (const data of eventData(watched(response.body, silence))) {
    const event = chatEvent(data);
    if (!event) continue;
    yield event;
    if (event.event === "on_chat_model_end") return;
  }
  throw new Error("The reply was cut off");
}

/** Sends a message and waits for the end of the reply, of which only the effects count. */
export async function untilReplied(path: string, message: string, signal: AbortSignal): Promise<void> {
  for await (const event of chat({ path, method: "POST", message, threadId: undefined }, signal)) {
    if (event.event === "error") throw new Error(event.detail || "The reply broke off");
  }
}

function request(call: ChatCall, signal: AbortSignal): [string, RequestInit] {
  const headers = { ...callHeaders(call.path), Accept: "text/event-stream" };
  const message = { message: call.message, ...(call.threadId ? { thread_id: call.threadId } : {}) };
  const { secrets = [], notSecrets = [] } = call.marks ?? {};
  if (call.method === "GET") {
    return [`${API_BASE}${call.path}?${new URLSearchParams(message)}`, { headers, signal }];
  }
  return [
    `${API_BASE}${call.path}`,
    {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({
        ...message,
        ...(secrets.length > 0 ? { secrets } : {}),
        ...(notSecrets.length > 0 ? { not_secrets: notSecrets } : {}),
      }),
      signal,
    },
  ];
}

/** The same bytes; fails if none arrive for too long. */
function watched(bytes: ReadableStream<Uint8Array>, silence: AbortController): ReadableStream<Uint8Array> {
  const giveUp = () => silence.abort(new Error("The connection fell silent"));
  let timer = setTimeout(giveUp, SILENCE_MS);
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) return controller.close();
        timer = setTimeout(giveUp, SILENCE_MS);
        controller.enqueue(value);
      } catch (error) {
        clearTimeout(timer);
        controller.error(error);
      }
    },
    cancel(reason) {
      clearTimeout(timer);
      return reader.cancel(reason);
    },
  });
}

/** One event of the stream; undefined for events that this version does not support. */
export function chatEvent(data: string): ChatEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const event = text(value, "event");
  const thread_id = text(value, "thread_id") ?? "";
  switch (event) {
    case "on_chat_model_stream": {
      const content = text(Reflect.get(Object(value), "chunk"), "content") ?? "";
      return { event, chunk: { content }, thread_id };
    }
    case "on_tool_end":
      return { event, tool: text(value, "tool") ?? "", summary: text(value, "summary") ?? "", thread_id };
    case "on_command": {
      const command = proposed(Reflect.get(Object(value), "command"));
      return command && { event, command, thread_id };
    }
    case "on_command_output": {
      const number = numberOf(value, "number");
      const content = text(value, "content") ?? "";
      return number === undefined ? undefined : { event, number, content, thread_id };
    }
    case "on_command_end": {
      const number = numberOf(value, "number");
      const status = statusOf(value);
      if (number === undefined || !status) return undefined;
      return { event, number, status, exit_code: numberOf(value, "exit_code") ?? null, thread_id };
    }
    case "error":
      return { event, detail: text(value, "detail") ?? "", code: codeOf(value) ?? "internal", thread_id };
    case "on_chat_model_end":
      return { event, thread_id };
    default:
      return undefined;
  }
}

function text(value: unknown, name: string): string | undefined {
  const field: unknown = Reflect.get(Object(value), name);
  return typeof field === "string" ? field : undefined;
}

function numberOf(value: unknown, name: string): number | undefined {
  const field: unknown = Reflect.get(Object(value), name);
  return typeof field === "number" ? field : undefined;
}

const statusOf = (value: unknown) => statusNamed(text(value, "status"));

/** A command is shown completely or not at all, because people approve the text that they read. */
function proposed(value: unknown): ProposedCommand | undefined {
  const [number, script, sha256] = [numberOf(value, "number"), text(value, "script"), text(value, "sha256")];
  const status = statusOf(value);
  if (number === undefined || script === undefined || sha256 === undefined || !status) return undefined;
  const target = text(value, "target") === "server" ? "server" : "sandbox";
  const needsApproval: unknown = Reflect.get(Object(value), "needs_approval");
  const attempt = numberOf(value, "attempt") ?? 1;
  const verdict: unknown = Reflect.get(Object(value), "verdict");
  const command = {
    number,
    target,
    script,
    sha256,
    status,
    needs_approval: needsApproval !== false,
    attempt,
  } as const;
  return isVerdict(verdict) ? { ...command, verdict } : command;
}

type Verdict = NonNullable<ProposedCommand["verdict"]>;

/** The findings of the automatic checks, if they can be shown completely. */
function isVerdict(value: unknown): value is Verdict {
  const field = (name: string): unknown => Reflect.get(Object(value), name);
  return (
    typeof field("sha256") === "string" &&
    typeof field("outcome") === "string" &&
    typeof field("rounds") === "number" &&
    [field("findings"), field("checked"), field("not_checked")].every(Array.isArray)
  );
}
