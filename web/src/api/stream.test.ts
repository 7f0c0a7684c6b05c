import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ChatEvent, chat, chatEvent, SendFailed } from "./stream";

const END = 'data: {"event":"on_chat_model_end","thread_id":"t1"}\n\n';
const TEXT = 'data: {"event":"on_chat_model_stream","chunk":{"content":"Hi"},"thread_id":"t1"}\n\n';

beforeEach(() => {
  vi.stubGlobal("sessionStorage", { getItem: () => "4512", clear: vi.fn() });
  vi.stubGlobal("window", { location: { pathname: "/app/77", search: "", hash: "", replace: vi.fn() } });
});
afterEach(() => vi.unstubAllGlobals());

/** Answers the next call; returns its request. */
function answering(response: Response) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => response);
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

async function run(method: "GET" | "POST" = "POST"): Promise<ChatEvent[]> {
  const got: ChatEvent[] = [];
  const call = { path: "/planning/cloud-architect", method, message: "hello", threadId: undefined };
  for await (const event of chat(call, new AbortController().signal)) got.push(event);
  return got;
}

test("a reply ends with on_chat_model_end", async () => {
  const fetch = answering(new Response(`: hi\n\n${TEXT}${END}`));
  expect((await run()).map((event) => event.event)).toEqual(["on_chat_model_stream", "on_chat_model_end"]);
  const [path, init] = fetch.mock.calls[0] ?? [];
  expect(path).toBe("/api/planning/cloud-architect");
  expect(init?.body).toBe('{"message":"hello"}');
  expect(init?.headers).toMatchObject({
    "Installation-Id": "4512",
    "Project-Id": "77",
    Accept: "text/event-stream",
  });
});

test("the message to the execution agent is sent in the query", async () => {
  const fetch = answering(new Response(END));
  await run("GET");
  expect(fetch.mock.calls[0]?.[0]).toBe("/api/planning/cloud-architect?message=hello");
});

test("a stream that closes early is an error, not a short reply", async () => {
  answering(new Response(TEXT));
  await expect(run()).rejects.toThrow("cut off");
});

test("an answer that is not OK raises its status", async () => {
  answering(new Response("{}", { status: 500 }));
  await expect(run()).rejects.toThrow("HTTP error! status: 500");
});

test("a 401 ends the session", async () => {
  answering(new Response("{}", { status: 401 }));
  await expect(run()).rejects.toThrow("HTTP error! status: 401");
  expect(sessionStorage.clear).toHaveBeenCalled();
  expect(window.location.replace).toHaveBeenCalledWith("/?ended=1&return_to=%2Fapp%2F77");
});

test("unknown events are skipped", () => {
  expect(chatEvent("not json")).toBeUndefined();
  expect(chatEvent('{"event":"on_new_thing"}')).toBeUndefined();
  expect(chatEvent('{"event":"on_chat_model_stream"}')).toMatchObject({ chunk: { content: "" } });
  expect(chatEvent("null")).toBeUndefined();
});

test("a helper's commands have their own events", () => {
  const command = {
    number: 2,
    target: "server",
    script: "rm x",
    sha256: "ab",
    status: "waiting_approval",
    needs_approval: true,
    attempt: 1,
  };
  expect(chatEvent(JSON.stringify({ event: "on_command", command, thread_id: "t" }))).toEqual({
    event: "on_command",
    command,
    thread_id: "t",
  });
  expect(chatEvent('{"event":"on_command_output","number":2,"content":"x","thread_id":"t"}')).toEqual({
    event: "on_command_output",
    number: 2,
    content: "x",
    thread_id: "t",
  });
  expect(
    chatEvent('{"event":"on_command_end","number":2,"status":"failed","exit_code":null,"thread_id":"t"}'),
  ).toEqual({ event: "on_command_end", number: 2, status: "failed", exit_code: null, thread_id: "t" });
});

test("an incomplete command is not shown, and one whose effect is unknown needs approval", () => {
  expect(chatEvent('{"event":"on_command","command":{"number":1,"script":"ls"}}')).toBeUndefined();
  const event = chatEvent(
    '{"event":"on_command","command":{"number":1,"script":"ls","sha256":"a","status":"waiting_approval"}}',
  );
  expect(event).toMatchObject({ command: { target: "sandbox", needs_approval: true } });
});

test("a command whose status is unknown is not shown", () => {
  for (const status of ["paused", "constructor", "", undefined]) {
    const command = { number: 1, script: "ls", sha256: "a", status };
    expect(chatEvent(JSON.stringify({ event: "on_command", command }))).toBeUndefined();
  }
});

test("the findings of automatic checks are shown whole or not at all", () => {
  const command = { number: 1, script: "ls", sha256: "a", status: "waiting_approval" };
  const verdict = {
    sha256: "a",
    outcome: "passed",
    rounds: 0,
    findings: [],
    checked: ["bash -n"],
    not_checked: [],
  };
  const shown = (value: unknown) =>
    chatEvent(JSON.stringify({ event: "on_command", command: { ...command, verdict: value } }));
  expect(shown(verdict)).toMatchObject({ command: { verdict } });
  for (const broken of [{ ...verdict, findings: null }, { ...verdict, rounds: "0" }, "passed", null]) {
    expect(shown(broken)).not.toHaveProperty("command.verdict");
  }
});

test("a refused message differs from a reply that broke off", async () => {
  answering(new Response(null, { status: 503 }));
  await expect(run()).rejects.toBeInstanceOf(SendFailed);
  answering(new Response(TEXT));
  await expect(run()).rejects.not.toBeInstanceOf(SendFailed);
});
