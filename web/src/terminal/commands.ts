/**
 * Commands that the server types into the terminal.
 *
 * They arrive on a stream of their own. What is typed goes to the shell, whose echo shows it: drawing it here as well
 * would show it twice.
 */
import { API_BASE } from "../api/client";
import { callHeaders } from "../api/headers";
import { eventData } from "../api/sse";

/** How long a simulated key press takes when the server does not say, in milliseconds. */
export const TYPING_MS = 50;
/** The slowest a server can ask for, in milliseconds: a mistake of its must not hold the terminal for minutes. */
const MAX_TYPING_MS = 1_000;
/** How long to wait before the stream is asked for again, in milliseconds. */
const RETRY_MS = 5_000;

const PATH = "/terminal/commands";

export interface ServerCommand {
  command: string;
  simulateTyping: boolean;
  /** How long each key press takes, in milliseconds. */
  typingMs: number;
}

/** One event of the stream; what is no command is nothing. */
export function serverCommand(data: string): ServerCommand | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const field = (name: string): unknown => Reflect.get(Object(value), name);
  const command = field("command");
  if (typeof command !== "string" || command === "") return undefined;
  const speed = field("typing_speed");
  const typingMs = typeof speed === "number" && speed >= 0 ? Math.min(speed, MAX_TYPING_MS) : TYPING_MS;
  return { command, simulateTyping: field("simulate_typing") === true, typingMs };
}

export interface Typist {
  /** Sends input to the shell; false when there is no shell to take it. */
  input: (text: string) => boolean;
  wait: (milliseconds: number) => Promise<void>;
}

/** Types a command and its Enter; false when the shell went away on the way. */
export async function typeCommand(typist: Typist, command: ServerCommand): Promise<boolean> {
  const line = command.command.replace(/[\r\n]+$/, "");
  if (!command.simulateTyping) return typist.input(`${line}\r`);
  for (const key of `${line}\r`) {
    if (!typist.input(key)) return false;
    await typist.wait(command.typingMs);
  }
  return true;
}

interface CommandsParts {
  input: (text: string) => boolean;
  /** A line for the terminal itself. */
  onNotice: (text: string) => void;
}

/** A server without this stream is not asked again until the page is loaded anew. */
let absent = false;

/** Follows the stream until `signal` ends it; the commands run one after another. */
export async function followCommands(parts: CommandsParts, signal: AbortSignal): Promise<void> {
  const typist = { input: parts.input, wait: (milliseconds: number) => pause(milliseconds, signal) };
  while (!signal.aborted && !absent) {
    try {
      const headers = { ...callHeaders(PATH), Accept: "text/event-stream" };
      const response = await fetch(`${API_BASE}${PATH}`, { headers, signal });
      if (response.status === 404 || response.status === 401) {
        absent = response.status === 404;
        return;
      }
      if (!response.ok || !response.body) throw new Error(`HTTP error! status: ${response.status}`);
      for await (const data of eventData(response.body)) {
        const command = serverCommand(data);
        if (command && !(await typeCommand(typist, command))) parts.onNotice("Error executing command");
      }
    } catch (error) {
      if (!signal.aborted) console.info("The stream of commands broke off", error);
    }
    await pause(RETRY_MS, signal);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
