/**
 * The part of a conversation that the server has not confirmed yet.
 *
 * A thread is server state and lives in the query cache. A turn holds the message that was sent and what has been
 * streamed since, on top of the thread as it was at that moment, until the thread has been read again.
 */
import type { ThreadMessage } from "../api/planning";
import { asShortage, SHORTAGE_TEXTS, type Shortage } from "../api/shortage";
import type { ChatEvent, ProposedCommand } from "../api/stream";

export const CHAT_ERROR = "Sorry, I encountered an error. Please try again.";

/** How much of a command's output the chat keeps, in characters; the most recent output matters most. */
export const OUTPUT_CHARS = 64 * 1024;

/** A command in the reply, and its progress. */
export interface ChatCommand extends ProposedCommand {
  /** How much of the reply's text came before the command, in characters. */
  at: number;
  output: string;
  exitCode: number | null;
  /** Whether the reply no longer follows the command. */
  ended: boolean;
}

export interface ChatMessage extends ThreadMessage {
  /** Why the reply failed, if it did. */
  problem?: string;
  /** Whether the reply failed because the credits ran out; the notice about credits explains the rest. */
  shortage?: Shortage;
  /** Whether the message before it was not accepted for this reason, and has returned to the input. */
  returned?: boolean;
  /** Whether it takes the place of a reply that failed. */
  failed?: boolean;
  /** The commands that the agent proposed along with it. */
  commands?: ChatCommand[];
}

export interface Turn {
  /** The thread as it was when the message was sent. */
  before: ChatMessage[];
  messages: ChatMessage[];
  phase: "streaming" | "complete" | "failed";
}

export function startTurn(before: ChatMessage[], message: string): Turn {
  return {
    before,
    messages: [
      { role: "user", content: message, notes: [] },
      { role: "assistant", content: "", notes: [] },
    ],
    phase: "streaming",
  };
}

/** The turn after some of the reply's events; `apology` replaces a reply that broke off. */
export function advance(turn: Turn, events: readonly ChatEvent[], apology = CHAT_ERROR): Turn {
  return events.reduce((turn, event) => step(turn, event, apology), turn);
}

function step(turn: Turn, event: ChatEvent, apology: string): Turn {
  switch (event.event) {
    case "on_chat_model_stream":
      return withReply(turn, (reply) => ({ ...reply, content: reply.content + event.chunk.content }));
    case "on_tool_end":
      return event.summary
        ? withReply(turn, (reply) => ({ ...reply, notes: [...reply.notes, event.summary] }))
        : turn;
    case "on_command":
      return withReply(turn, (reply) => ({ ...reply, commands: proposed(reply, event.command) }));
    case "on_command_output":
      return withCommand(turn, event.number, (command) => ({
        ...command,
        output: (command.output + event.content).slice(-OUTPUT_CHARS),
      }));
    case "on_command_end": {
      const { status, exit_code: exitCode = null } = event;
      return withCommand(turn, event.number, (command) => ({ ...command, status, exitCode, ended: true }));
    }
    case "error":
      return failTurn(turn, event.detail || undefined, apology, asShortage(event.code));
    case "on_chat_model_end":
      return turn.phase === "streaming" ? { ...turn, phase: "complete" } : turn;
  }
}

/** Ends the turn with an apology; text that arrived before it broke stays. */
export function failTurn(turn: Turn, problem?: string, apology = CHAT_ERROR, shortage?: Shortage): Turn {
  if (turn.phase === "failed") return turn;
  const said = turn.messages.filter(
    (message) =>
      message.role === "user" || message.content !== "" || message.notes.length > 0 || message.commands,
  );
  const last: ChatMessage = shortage
    ? { role: "assistant", content: SHORTAGE_TEXTS[shortage], notes: [], shortage }
    : { role: "assistant", content: apology, notes: [], failed: true, ...(problem ? { problem } : {}) };
  return { ...turn, messages: [...said, last], phase: "failed" };
}

/** Ends the turn because its message was not accepted; without money it returns to the input, to be sent later. */
export function refuseTurn(turn: Turn, apology: string, shortage: Shortage | undefined): Turn {
  const { messages, ...refused } = failTurn(turn, undefined, apology, shortage);
  const at = (place: number) => place === messages.length - 1;
  return {
    ...refused,
    messages: messages.map((one, place) => (shortage && at(place) ? { ...one, returned: true } : one)),
  };
}

/** Whether sending the unanswered message again can help; one that has returned to the input is sent from there. */
export const canSendAgain = ({ failed, shortage, returned }: ChatMessage): boolean =>
  failed === true || (shortage !== undefined && returned !== true);

/** The last message that was sent, unless it was not delivered or its reply broke off. */
export function lastDelivered(messages: readonly ChatMessage[]): string | undefined {
  const last = messages.findLastIndex((message) => message.role === "user");
  const lost = messages.slice(last + 1).some((message) => message.failed || message.shortage !== undefined);
  return lost ? undefined : messages[last]?.content;
}

/** Whether the reply goes on only after its reader has decided about a command. */
export const awaitsDecision = (messages: readonly ChatMessage[]): boolean =>
  messages
    .at(-1)
    ?.commands?.some(({ status, needs_approval }) => status === "waiting_approval" && needs_approval) ??
  false;

/** Whether the turn shows commands: the stored thread does not contain them, so the turn stays. */
export const hasCommands = (turn: Turn) =>
  [...turn.before, ...turn.messages].some((message) => message.commands !== undefined);

/** The turn with the user's message as the server stores it: without the secrets that it has found and sealed. */
export function asKept(turn: Turn, kept: readonly ThreadMessage[]): Turn {
  const all = [...turn.before, ...turn.messages];
  if (all.length !== kept.length || all.some((message, index) => message.role !== kept[index]?.role))
    return turn;
  const sealed = all.map((message, index) =>
    message.role === "user" ? { ...message, content: kept[index]?.content ?? message.content } : message,
  );
  return { ...turn, before: sealed.slice(0, turn.before.length), messages: sealed.slice(turn.before.length) };
}

/**
 * The messages of a turn, and those of the stored thread that follow it: the conversation continued in another tab.
 * Messages of the thread then take the place of a reply that failed here.
 */
export function withLater(turn: Turn, kept: readonly ThreadMessage[]): ChatMessage[] {
  const all = [...turn.before, ...turn.messages];
  if (turn.phase === "streaming" || kept[all.length]?.role !== "user") return all;
  if (turn.phase === "failed" && !hasCommands(turn)) return [...kept];
  return [...all, ...kept.slice(all.length)];
}

function proposed(reply: ChatMessage, command: ProposedCommand): ChatCommand[] {
  const others = (reply.commands ?? []).filter((known) => known.number !== command.number);
  return [...others, { ...command, at: reply.content.length, output: "", exitCode: null, ended: false }];
}

function withReply(turn: Turn, change: (reply: ChatMessage) => ChatMessage): Turn {
  const reply = turn.messages.at(-1);
  if (reply?.role !== "assistant") return turn;
  return { ...turn, messages: [...turn.messages.slice(0, -1), change(reply)] };
}

function withCommand(turn: Turn, number: number, change: (command: ChatCommand) => ChatCommand): Turn {
  return withReply(turn, (reply) =>
    reply.commands
      ? {
          ...reply,
          commands: reply.commands.map((known) => (known.number === number ? change(known) : known)),
        }
      : reply,
  );
}
