import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../socket/fake-socket";
import { CONNECTION_TONES, type ConnectionState, TerminalConnection } from "./connection";
import { fromGateway, MAIN_TERMINAL } from "./messages";

let output = "";
/** Called by the page once the output so far is drawn. */
let draw = () => {};
let notices: string[] = [];
let notTyped: string[] = [];
let states: ConnectionState[] = [];
let tickets = 0;

let refusals = 0;

/** The calls of the announcer, in order. */
let announced: string[] = [];

function open() {
  const connection = new TerminalConnection({
    ticket: async () => {
      tickets += 1;
      if (tickets <= refusals) throw new Error("no ticket");
      return { ticket: `t${tickets}`, url: "ws://here/ws" };
    },
    connect: (url) => new FakeSocket(url),
    size: () => ({ rows: 24, cols: 80 }),
    onOutput: (text, drawn) => {
      output += text;
      draw = drawn;
    },
    onState: (state) => void states.push(state),
    onNotice: (text) => void notices.push(text),
    onNotTyped: (command) => void notTyped.push(command),
    announcer: {
      begins: () => void announced.push("begins"),
      changed: () => void announced.push("changed"),
      ends: () => void announced.push("ends"),
    },
  });
  connection.start();
  return connection;
}

const socket = () => FakeSocket.last;
const piece = (offset: number, data: string) => ({
  type: "output",
  terminal: "main",
  data,
  offset,
  next: offset + data.length,
});
const ATTACHED = { type: "status", state: "attached", detail: "" };

async function connected() {
  const connection = open();
  await vi.advanceTimersByTimeAsync(0);
  socket().opens();
  socket().says(ATTACHED);
  return connection;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  FakeSocket.all = [];
  [output, notices, notTyped, states, tickets, refusals, announced] = ["", [], [], [], 0, 0, []];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a terminal connects with a ticket, requests the stream and sends its size", async () => {
  await connected();
  expect(socket().url).toBe("ws://here/ws?ticket=t1");
  expect(socket().sent).toEqual([
    { type: "attach", terminal: "main", offset: 0, rows: 24, cols: 80 },
    { type: "resize", terminal: "main", rows: 24, cols: 80 },
  ]);
  expect(states).toEqual(["connecting", "connected"]);
  expect(notices).toEqual(["Connected to sandbox terminal."]);
});

test("changes are announced from the first status until the connection breaks", async () => {
  const connection = open();
  await vi.advanceTimersByTimeAsync(0);
  socket().opens();
  socket().says({ ...ATTACHED, announces: true });
  socket().says({ type: "changed" });
  expect(announced).toEqual(["begins", "changed"]);
  socket().drops();
  expect(announced.at(-1)).toBe("ends");
  connection.close();
});

test("a gateway of an earlier version announces nothing", async () => {
  await connected();
  expect(announced).toEqual([]);
});

test("input is numbered from 0 for each connection and cut into frames", async () => {
  const connection = await connected();
  connection.input("ls\r");
  connection.input("x".repeat(5_000));
  vi.advanceTimersByTime(100);
  const inputs = socket().sent.filter((message) => message.type === "input");
  expect(inputs.map((message) => message.seq)).toEqual([0, 1, 2]);
});

test("the page reports what is drawn, not what has only arrived, and again on each connection", async () => {
  await connected();
  const reports = () => socket().sent.filter((message) => message.type === "shown");
  const start = 1_000_000;
  const half = 64 * 1024;
  socket().says({ ...piece(0, ""), next: start });
  for (let at = start; at < start + 4 * half; at += half) socket().says(piece(at, "x".repeat(half)));
  expect(reports()).toEqual([]);
  draw();
  expect(reports()).toEqual([{ type: "shown", terminal: "main", offset: start + 4 * half }]);
  socket().says(piece(start + 4 * half, "y"));
  draw();
  expect(reports()).toHaveLength(1);
  socket().drops();
  await vi.advanceTimersByTimeAsync(10);
  socket().opens();
  socket().says(piece(start + 4 * half + 1, "x".repeat(2 * half)));
  draw();
  expect(reports()).toEqual([{ type: "shown", terminal: "main", offset: start + 6 * half + 1 }]);
});

test("while the user types, the page reports small steps, and at a key what is drawn already", async () => {
  const connection = await connected();
  const reports = () =>
    socket().sent.flatMap((message) => (message.type === "shown" ? [message.offset] : []));
  const step = 20 * 1024;
  socket().says(piece(0, "$ "));
  draw();
  socket().says(piece(2, "x".repeat(step)));
  draw();
  expect(reports()).toEqual([]);
  connection.input("a");
  expect(socket().sent.slice(-2)).toMatchObject([{ type: "shown", offset: step + 2 }, { type: "input" }]);
  socket().says(piece(step + 2, "x".repeat(step)));
  draw();
  expect(reports()).toEqual([step + 2, 2 * step + 2]);
  await vi.advanceTimersByTimeAsync(3_000);
  socket().says(piece(2 * step + 2, "x".repeat(step)));
  draw();
  expect(reports()).toHaveLength(2);
});

test("a dropped connection is renewed unnoticed and continues where it stopped", async () => {
  const connection = await connected();
  socket().says(piece(0, "hello "));
  socket().drops();
  connection.input("lost");
  await vi.advanceTimersByTimeAsync(10);
  socket().opens();
  expect(socket().sent[0]).toMatchObject({ type: "attach", offset: 6 });
  socket().says(ATTACHED);
  socket().says(piece(6, "world"));
  expect(output).toBe("hello world");
  expect(notices).toEqual(["Connected to sandbox terminal."]);
  expect(states.at(-1)).toBe("connected");
  expect(FakeSocket.all).toHaveLength(2);
  connection.input("y");
  expect(socket().sent.at(-1)).toMatchObject({ type: "input", input: "y", seq: 0 });
});

test("a connection that stays down is reported once, and again when it is back", async () => {
  await connected();
  socket().drops();
  for (let tries = 0; tries < 5; tries += 1) {
    await vi.advanceTimersByTimeAsync(6_000);
    socket().drops();
  }
  expect(notices.filter((notice) => notice === "Connection closed.")).toHaveLength(1);
  expect(states.at(-1)).toBe("reconnecting");
  await vi.advanceTimersByTimeAsync(30_000);
  socket().opens();
  expect(notices.at(-1)).toBe("Connected to sandbox terminal.");
});

test("a refused ticket is reported once, and requested again", async () => {
  refusals = 2;
  open();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(notices).toEqual(["Connection error. Please try again."]);
  socket().opens();
  expect(notices.at(-1)).toBe("Connected to sandbox terminal.");
});

test("output that overtook other output waits for it, and missing output is requested again", async () => {
  await connected();
  socket().says(piece(3, "def"));
  expect(output).toBe("");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(socket().sent.at(-1)).toMatchObject({ type: "attach", offset: 0 });
  socket().says(piece(0, "abc"));
  expect(output).toBe("abcdef");
});

test("an absent sandbox is requested until it is connected", async () => {
  const connection = open();
  await vi.advanceTimersByTimeAsync(0);
  socket().opens();
  socket().says({ type: "status", state: "waiting", detail: "No sandbox is running." });
  connection.input("nothing to type into");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(socket().sent.filter((message) => message.type === "attach")).toHaveLength(2);
  socket().says(ATTACHED);
  expect(states.at(-1)).toBe("connected");
  expect(socket().sent.some((message) => message.type === "input")).toBe(false);
});

test("a returning network is used at once", async () => {
  const connection = await connected();
  for (let tries = 0; tries < 5; tries += 1) {
    socket().drops();
    await vi.advanceTimersByTimeAsync(20_000);
  }
  socket().drops();
  const before = FakeSocket.all.length;
  connection.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(FakeSocket.all.length).toBe(before + 1);
});

test("a closed terminal does not reconnect", async () => {
  const connection = await connected();
  const last = socket();
  connection.close();
  last.drops();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSocket.all).toHaveLength(1);
  expect(states.at(-1)).toBe("closed");
});

test("a terminal with another name requests only its own stream", async () => {
  const connection = new TerminalConnection({
    terminal: "2",
    ticket: async () => ({ ticket: "t", url: "ws://here/ws" }),
    connect: (url) => new FakeSocket(url),
    size: () => ({ rows: 24, cols: 80 }),
    onOutput: (text) => {
      output += text;
    },
    onState: () => undefined,
    onNotice: () => undefined,
  });
  connection.start();
  await vi.advanceTimersByTimeAsync(0);
  socket().opens();
  expect(socket().sent.map((message) => message.terminal)).toEqual(["2", "2"]);
  socket().says(piece(0, "main's"));
  socket().says({ ...piece(0, "mine"), terminal: "2" });
  expect(output).toBe("mine");
});

test("an agent's keys name what they continue, and a refusal is reported once", async () => {
  const connection = await connected();
  const before = socket().sent.length;
  expect(connection.agentInput("ls -l", "", "l")).toBe("sent");
  expect(connection.agentInput("ls -l", "l", "s")).toBe("sent");
  expect(socket().sent.slice(before)).toEqual([
    { type: "input", terminal: "main", input: "l", seq: 0, command: "ls -l", after: "" },
    { type: "input", terminal: "main", input: "s", seq: 1, command: "ls -l", after: "l" },
  ]);
  for (let part = 0; part < 2; part += 1)
    socket().says({ type: "not_typed", terminal: "main", command: "ls -l" });
  expect(notTyped).toEqual(["ls -l"]);
  expect(connection.agentInput("ls -l", "ls", " ")).toBe("refused");
  expect(connection.agentInput("ls -l", "", "l"), "the agent asks for it again").toBe("sent");
  connection.close();
  expect(connection.agentInput("pwd", "", "p")).toBe("gone");
});

test("a sandbox that is not running is not a failure", () => {
  expect(CONNECTION_TONES.lost).toBe("idle");
});

test("a message that names no terminal is about the main one", () => {
  const messages = [
    { type: "output", data: "$ ", offset: 0, next: 2 },
    { type: "exit", exit_code: 0 },
    { type: "not_typed", command: "ls" },
  ];
  for (const message of messages)
    expect(fromGateway(JSON.stringify(message))).toMatchObject({ ...message, terminal: MAIN_TERMINAL });
});
