import { afterEach, expect, test, vi } from "vitest";
import { agentIsAtWork } from "./agent-at-work";
import { followCommands, serverCommand, typeCommand } from "./commands";
import type { PartOutcome } from "./connection";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function typist(takes = Number.POSITIVE_INFINITY, end: PartOutcome = "gone") {
  const inputs: string[] = [];
  const afters: string[] = [];
  const waits: number[] = [];
  const ran: string[] = [];
  return {
    inputs,
    afters,
    waits,
    ran,
    run: (command: string) => ran.push(command) > 0,
    type: (_: string, after: string, part: string): PartOutcome => {
      if (inputs.length >= takes) return end;
      afters.push(after);
      inputs.push(part);
      return "sent";
    },
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  };
}

test("a command is sent exactly as received, as one input", async () => {
  for (const command of ["ls -la\n", "ls -la", "cd terraform\nls\n"]) {
    const hands = typist();
    expect(await typeCommand(hands, { command, run: false, simulateTyping: false, typingMs: 50 })).toBe(true);
    expect(hands.inputs).toEqual([command]);
    expect(hands.waits).toEqual([]);
  }
});

test("simulated typing sends one key after another, and no Enter", async () => {
  const hands = typist();
  expect(await typeCommand(hands, { command: "ls é", run: false, simulateTyping: true, typingMs: 20 })).toBe(
    true,
  );
  expect(hands.inputs).toEqual(["l", "s", " ", "é"]);
  expect(hands.afters).toEqual(["", "l", "ls", "ls "]);
  expect(hands.waits).toEqual([20, 20, 20, 20]);
});

test("a stream that breaks off continues after the last received command", async () => {
  vi.useFakeTimers();
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  vi.stubGlobal("sessionStorage", { getItem: () => "7" });
  vi.stubGlobal("window", { location: { pathname: "/app/5" } });
  const asked: (string | null)[] = [];
  const answers = [
    () => new Response('id: 41\ndata: {"command":"ls","run":true}\n\nid: 42\ndata: {"command":"pwd"}\n\n'),
    () => new Response(null, { status: 503 }),
    () => new Response(":\n\n"),
  ];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Headers }) => {
    asked.push(headers.get("last-event-id"));
    return (answers[asked.length - 1] ?? answers[2])?.();
  });
  const { type, inputs, run, ran } = typist();
  const left = new AbortController();
  agentIsAtWork();
  const followed = followCommands(
    { type, run, onNotice: () => undefined, onLost: () => undefined },
    left.signal,
  );
  await vi.advanceTimersByTimeAsync(11_000);
  left.abort();
  await followed;
  expect(inputs).toEqual(["ls", "pwd"]);
  expect(ran).toEqual(["ls"]);
  expect(asked.slice(0, 3)).toEqual([null, "42", "42"]);
});

test("a short check every minute is enough until an agent works", async () => {
  vi.useFakeTimers();
  vi.setSystemTime(Date.now() + 60_000);
  vi.stubGlobal("sessionStorage", { getItem: () => "7" });
  vi.stubGlobal("window", { location: { pathname: "/app/5" } });
  const waits: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Headers }) => {
    waits.push(headers.get("prefer"));
    return new Response(":\n\n");
  });
  const { type, run } = typist();
  const left = new AbortController();
  const followed = followCommands(
    { type, run, onNotice: () => undefined, onLost: () => undefined },
    left.signal,
  );
  await vi.advanceTimersByTimeAsync(59_000);
  expect(waits).toEqual(["wait=0"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(waits).toEqual(["wait=0", "wait=0"]);
  agentIsAtWork();
  await vi.advanceTimersByTimeAsync(100);
  expect(waits.slice(2)).toEqual(["wait=30"]);
  await vi.advanceTimersByTimeAsync(16_000);
  const asked = waits.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(waits.length, "the agent is done").toBeLessThanOrEqual(asked + 1);
  left.abort();
  await followed;
});

test("without a running sandbox, the stream is not asked for more than twelve times a minute", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("sessionStorage", { getItem: () => "7" });
  vi.stubGlobal("window", { location: { pathname: "/app/5" } });
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return new Response(":\n\n");
  });
  const { type, run } = typist();
  const left = new AbortController();
  agentIsAtWork();
  const followed = followCommands(
    { type, run, onNotice: () => undefined, onLost: () => undefined },
    left.signal,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  left.abort();
  await followed;
  expect(asked).toBe(3);
});

test("a deleted project does not stop the next project's commands", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("sessionStorage", { getItem: () => "7" });
  const window = { location: { pathname: "/app/5" } };
  vi.stubGlobal("window", window);
  const asked: (string | null)[] = [];
  let refusal: Response | undefined;
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Headers }) => {
    const project = headers.get("project-id");
    asked.push(project);
    if (project === "6") return new Response('id: 1\ndata: {"command":"ls"}\n\n');
    refusal = new Response('{"code":"not_found"}', { status: 404 });
    return refusal;
  });
  const { type, run, inputs } = typist();
  const parts = { type, run, onNotice: () => undefined, onLost: () => undefined };
  await followCommands(parts, new AbortController().signal);
  expect(asked).toEqual(["5"]);
  expect(await refusal?.body?.getReader().read(), "an unread answer would stay open").toEqual({
    done: true,
    value: undefined,
  });
  window.location.pathname = "/app/6";
  const left = new AbortController();
  const followed = followCommands(parts, left.signal);
  await vi.advanceTimersByTimeAsync(100);
  left.abort();
  await followed;
  expect(asked).toEqual(["5", "6"]);
  expect(inputs).toEqual(["ls"]);
});

test("typing ends when the shell is gone", async () => {
  const hands = typist(2);
  expect(await typeCommand(hands, { command: "rm x", run: true, simulateTyping: true, typingMs: 1 })).toBe(
    false,
  );
  expect(hands.inputs).toEqual(["r", "m"]);
  expect(hands.ran).toEqual([]);
});

test("a refused command is neither typed further nor run, and is not an error", async () => {
  const hands = typist(1, "refused");
  expect(await typeCommand(hands, { command: "ls", run: true, simulateTyping: true, typingMs: 1 })).toBe(
    true,
  );
  expect(hands.inputs).toEqual(["l"]);
  expect(hands.ran).toEqual([]);
});

test("events are read with their defaults", () => {
  expect(serverCommand('{"command":"ls"}')).toEqual({
    command: "ls",
    run: false,
    simulateTyping: false,
    typingMs: 50,
  });
  expect(serverCommand('{"command":"ls","simulate_typing":true,"typing_speed":10}')).toEqual({
    command: "ls",
    run: false,
    simulateTyping: true,
    typingMs: 10,
  });
  expect(serverCommand('{"command":"ls","typing_speed":1e9}')?.typingMs).toBe(1_000);
  expect(serverCommand('{"command":""}')).toBeUndefined();
  expect(serverCommand("no json")).toBeUndefined();
});
