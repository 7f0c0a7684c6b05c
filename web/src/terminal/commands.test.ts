import { expect, test } from "vitest";
import { serverCommand, typeCommand } from "./commands";

function typist(takes = Number.POSITIVE_INFINITY) {
  const inputs: string[] = [];
  const waits: number[] = [];
  return {
    inputs,
    waits,
    input: (text: string) => inputs.length < takes && inputs.push(text) > 0,
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  };
}

test("a command is sent with its Enter, as one input", async () => {
  const hands = typist();
  const command = { command: "ls -la\n", simulateTyping: false, typingMs: 50 };
  expect(await typeCommand(hands, command)).toBe(true);
  expect(hands.inputs).toEqual(["ls -la\r"]);
  expect(hands.waits).toEqual([]);
});

test("simulated typing sends one key after another", async () => {
  const hands = typist();
  expect(await typeCommand(hands, { command: "ls é", simulateTyping: true, typingMs: 20 })).toBe(true);
  expect(hands.inputs).toEqual(["l", "s", " ", "é", "\r"]);
  expect(hands.waits).toEqual([20, 20, 20, 20, 20]);
});

test("typing ends when the shell is gone", async () => {
  const hands = typist(2);
  expect(await typeCommand(hands, { command: "rm x", simulateTyping: true, typingMs: 1 })).toBe(false);
  expect(hands.inputs).toEqual(["r", "m"]);
});

test("events are read with their defaults", () => {
  expect(serverCommand('{"command":"ls"}')).toEqual({ command: "ls", simulateTyping: false, typingMs: 50 });
  expect(serverCommand('{"command":"ls","simulate_typing":true,"typing_speed":10}')).toEqual({
    command: "ls",
    simulateTyping: true,
    typingMs: 10,
  });
  expect(serverCommand('{"command":"ls","typing_speed":1e9}')?.typingMs).toBe(1_000);
  expect(serverCommand('{"command":""}')).toBeUndefined();
  expect(serverCommand("no json")).toBeUndefined();
});
