/**
 * Commands that the server types into the terminal.
 *
 * They arrive on a stream of their own. What is typed goes to the shell, whose echo shows it: drawing it here as well
 * would show it twice.
 */
import { API_BASE } from "../api/client";
import { callHeaders } from "../api/headers";
import { serverEvents } from "../api/sse";
import { readFrame } from "./frame";

/** How long a simulated key press takes when the server does not say, in milliseconds. */
export const TYPING_MS = 50;
/** The slowest a server can ask for, in milliseconds: a mistake of its must not hold the terminal for minutes. */
const MAX_TYPING_MS = 1_000;
/** How long to wait before the stream is asked for again, in milliseconds. */
const RETRY_MS = 5_000;

const PATH = "/terminal/commands";

export interface ServerCommand {
  command: string;
  /** Whether the sandbox is asked for Enter behind it. */
  run: boolean;
  simulateTyping: boolean;
  /** How long each key press takes, in milliseconds. */
  typingMs: number;
}

/** One event of the stream; what is no command is nothing. */
export function serverCommand(data: string): ServerCommand | undefined {
  const event = readFrame(data);
  if (!event) return undefined;
  const { field } = event;
  const command = field("command");
  if (typeof command !== "string" || command === "") return undefined;
  const speed = field("typing_speed");
  const typingMs = typeof speed === "number" && speed >= 0 ? Math.min(speed, MAX_TYPING_MS) : TYPING_MS;
  return { command, run: field("run") === true, simulateTyping: field("simulate_typing") === true, typingMs };
}

export interface Typist {
  /** Sends input to the shell; false when there is no shell to take it. */
  input: (text: string) => boolean;
  /** Asks for Enter if exactly this stands at the prompt; false when there is no shell to ask. */
  run: (command: string) => boolean;
  wait: (milliseconds: number) => Promise<void>;
}

/**
 * Types a command as it came and, where it may run at once, asks the sandbox for Enter: this page presses none.
 * False when the shell went away.
 */
export async function typeCommand(typist: Typist, { command, ...how }: ServerCommand): Promise<boolean> {
  if (how.simulateTyping) {
    for (const key of command) {
      if (!typist.input(key)) return false;
      await typist.wait(how.typingMs);
    }
  } else if (!typist.input(command)) return false;
  return !how.run || typist.run(command);
}

interface CommandsParts {
  input: (text: string) => boolean;
  run: (command: string) => boolean;
  /** A line for the terminal itself. */
  onNotice: (text: string) => void;
}

/** A server without this stream is not asked again until the page is loaded anew. */
let absent = false;

/** Follows the stream until `signal` ends it, each time from where it broke off; one command after another. */
export async function followCommands(parts: CommandsParts, signal: AbortSignal): Promise<void> {
  const typist = {
    input: parts.input,
    run: parts.run,
    wait: (milliseconds: number) => pause(milliseconds, signal),
  };
  let last: string | undefined;
  while (!signal.aborted && !absent) {
    try {
      const headers = new Headers({ ...callHeaders(PATH), Accept: "text/event-stream" });
      if (last !== undefined) headers.set("Last-Event-ID", last);
      const response = await fetch(`${API_BASE}${PATH}`, { headers, signal });
      if (response.status === 404 || response.status === 401) {
        absent = response.status === 404;
        // Left unread, an answer that nobody may keep stays under way for as long as the page lives.
        await response.body?.cancel();
        return;
      }
      if (!response.ok || !response.body) throw new Error(`HTTP error! status: ${response.status}`);
      for await (const { data, id } of serverEvents(response.body)) {
        // Before it is typed: a command that broke off half-way must not be typed a second time.
        last = id ?? last;
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
