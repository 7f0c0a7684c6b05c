import { expect, test } from "vitest";
import { SHORTAGE_TEXTS } from "../api/shortage";
import type { ChatEvent } from "../api/stream";
import {
  advance,
  asKept,
  awaitsDecision,
  CHAT_ERROR,
  type ChatMessage,
  canSendAgain,
  failTurn,
  hasCommands,
  lastDelivered,
  OUTPUT_CHARS,
  refuseTurn,
  startTurn,
  type Turn,
  withLater,
} from "./turn";

const text = (content: string): ChatEvent => ({
  event: "on_chat_model_stream",
  chunk: { content },
  thread_id: "t",
});
const end: ChatEvent = { event: "on_chat_model_end", thread_id: "t" };

test("a message and an empty reply appear at once, and the reply grows", () => {
  const turn = startTurn([], "hello");
  expect(turn.messages.map((message) => [message.role, message.content])).toEqual([
    ["user", "hello"],
    ["assistant", ""],
  ]);
  const later = advance(turn, [text("Hi"), text(" there")]);
  expect(later.messages.at(-1)?.content).toBe("Hi there");
  expect(later.phase).toBe("streaming");
  expect(advance(later, [end]).phase).toBe("complete");
});

test("a tool's action is noted with the reply", () => {
  const tool: ChatEvent = { event: "on_tool_end", tool: "write", summary: "Plan written", thread_id: "t" };
  expect(advance(startTurn([], "go"), [tool]).messages.at(-1)?.notes).toEqual(["Plan written"]);
});

test("an error adds the apology, keeps the text so far, and stays an error", () => {
  const turn = advance(startTurn([], "go"), [
    text("I was"),
    { event: "error", detail: "No answer.", code: "internal", thread_id: "t" },
    end,
  ]);
  expect(turn.phase).toBe("failed");
  expect(turn.messages.map((message) => message.content)).toEqual(["go", "I was", CHAT_ERROR]);
  expect(turn.messages.at(-1)?.problem).toBe("No answer.");
});

test("a reply that failed for lack of credits says only that", () => {
  const failed: ChatEvent = { event: "error", detail: "No.", code: "budget_reached", thread_id: "t" };
  const last = advance(startTurn([], "go"), [failed]).messages.at(-1);
  expect(last?.shortage).toBe("budget_reached");
  expect(last?.content).toBe(SHORTAGE_TEXTS.budget_reached);
  const refused = failTurn(startTurn([], "go"), undefined, CHAT_ERROR, "insufficient_credits").messages.at(
    -1,
  );
  expect(refused?.content).toBe("Your credits do not cover the next call. Add credits to continue.");
});

test("a message that was not accepted for lack of credits is sent from the input, and others from the chat", () => {
  const last = (turn: Turn) => turn.messages.at(-1) as ChatMessage;
  const unpaid = last(refuseTurn(startTurn([], "go"), CHAT_ERROR, "insufficient_credits"));
  expect([unpaid.returned, canSendAgain(unpaid)]).toEqual([true, false]);
  const unreached = last(refuseTurn(startTurn([], "go"), CHAT_ERROR, undefined));
  expect([unreached.content, canSendAgain(unreached)]).toEqual([CHAT_ERROR, true]);
  const broken = last(failTurn(startTurn([], "go"), undefined, CHAT_ERROR, "insufficient_credits"));
  expect(canSendAgain(broken)).toBe(true);
});

test("a reply that never began leaves only the apology", () => {
  const turn = failTurn(startTurn([], "go"));
  expect(turn.messages.map((message) => message.content)).toEqual(["go", CHAT_ERROR]);
  expect(failTurn(turn)).toBe(turn);
});

const command: ChatEvent = {
  event: "on_command",
  thread_id: "t",
  command: {
    number: 3,
    target: "server",
    script: "df -h",
    sha256: "abc",
    status: "waiting_approval",
    needs_approval: true,
    attempt: 1,
  },
};
const output = (number: number, content: string): ChatEvent => ({
  event: "on_command_output",
  number,
  content,
  thread_id: "t",
});

test("a command appears at its place in the reply, and its output grows", () => {
  const turn = advance(startTurn([], "disk?"), [
    text("I look."),
    command,
    output(3, "/dev/sda1 "),
    output(4, "of another command"),
    output(3, "40%"),
    { event: "on_command_end", number: 3, status: "completed", exit_code: 0, thread_id: "t" },
    text(" Plenty is free."),
    end,
  ]);
  const reply = turn.messages.at(-1);
  expect(reply?.content).toBe("I look. Plenty is free.");
  expect(reply?.commands).toMatchObject([
    { number: 3, at: 7, output: "/dev/sda1 40%", status: "completed", exitCode: 0, ended: true },
  ]);
  expect(hasCommands(turn)).toBe(true);
  expect(hasCommands(startTurn([], "hello"))).toBe(false);
});

test("a reply awaits a decision while its command waits for approval", () => {
  const turn = advance(startTurn([], "disk?"), [command]);
  expect(awaitsDecision(turn.messages)).toBe(true);
  const read = { ...command, command: { ...command.command, needs_approval: false } } as ChatEvent;
  expect(awaitsDecision(advance(startTurn([], "disk?"), [read]).messages)).toBe(false);
  const ended: ChatEvent = { event: "on_command_end", number: 3, status: "failed", thread_id: "t" };
  expect(awaitsDecision(advance(turn, [ended]).messages)).toBe(false);
  expect(awaitsDecision([])).toBe(false);
});

test("the end of a long output is kept", () => {
  const turn = advance(startTurn([], "logs"), [
    command,
    output(3, "a".repeat(OUTPUT_CHARS)),
    output(3, "end"),
  ]);
  const kept = turn.messages.at(-1)?.commands?.[0]?.output;
  expect(kept).toHaveLength(OUTPUT_CHARS);
  expect(kept?.endsWith("aend")).toBe(true);
});

test("a reply that broke off after a command keeps the command", () => {
  const turn = failTurn(
    advance(startTurn([], "go"), [command]),
    undefined,
    "Connection error. Please try again.",
  );
  expect(turn.messages.map((message) => message.content)).toEqual([
    "go",
    "",
    "Connection error. Please try again.",
  ]);
});

test("the user's message is shown as the server stores it, without its secrets", () => {
  const turn = advance(startTurn([], "use key-123"), [command, text("Done."), end]);
  const kept = [
    { role: "user" as const, content: "use {{secret:KEY}}", notes: [] },
    { role: "assistant" as const, content: "Done.", notes: [] },
  ];
  const sealed = asKept(turn, kept);
  expect(sealed.messages[0]?.content).toBe("use {{secret:KEY}}");
  expect(sealed.messages[1]?.commands).toHaveLength(1);
  // A thread that does not match stays unchanged.
  expect(asKept(turn, kept.slice(1))).toBe(turn);
});

test("messages from another tab are shown after the turn that they follow", () => {
  const said = (role: "user" | "assistant", content: string) => ({ role, content, notes: [] });
  const mine = [said("user", "Mine"), said("assistant", "Answered")];
  const theirs = [said("user", "Theirs"), said("assistant", "Answered, too")];
  const complete: Turn = { before: [], messages: mine, phase: "complete" };
  expect(withLater(complete, mine)).toEqual(mine);
  expect(withLater(complete, [...mine, ...theirs])).toEqual([...mine, ...theirs]);
  expect(withLater({ ...complete, phase: "streaming" }, [...mine, ...theirs])).toEqual(mine);
});

test("a failed turn stays until the conversation has continued without it", () => {
  const said = (role: "user" | "assistant", content: string) => ({ role, content, notes: [] });
  const failed = failTurn(startTurn([], "Mine"));
  const kept = [said("user", "Mine")];
  expect(withLater(failed, kept)).toEqual(failed.messages);
  const gone = [...kept, said("assistant", "Late"), said("user", "Theirs"), said("assistant", "Answered")];
  expect(withLater(failed, gone)).toEqual(gone);
});

test("a message that was not delivered, or whose reply broke off, is not the last one that the agent answered", () => {
  const turn = startTurn([], "use port 9090");
  expect(lastDelivered(advance(turn, [text("Noted."), end]).messages)).toBe("use port 9090");
  expect(lastDelivered(failTurn(turn, "offline").messages)).toBeUndefined();
  expect(lastDelivered(failTurn(turn, undefined, undefined, "budget_reached").messages)).toBeUndefined();
  expect(lastDelivered([])).toBeUndefined();
});
