/**
 * Commands that the server types into the terminal.
 *
 * The terminal is its user's: the sandbox types a command only while the shell is at its prompt with nothing else on
 * the line, and refuses it otherwise. Commands arrive on a separate stream. The page opens it while an agent is working
 * in this browser, and once a minute otherwise: a function runs as long as it is open. The text is typed into the
 * shell, whose echo shows it: drawing it here as well would show it twice.
 */

import { serverEvents } from "../api/sse";
import { commandStream } from "../api/terminal";
import { pause } from "../lib/pause";
import { readFrame } from "../socket/frame";
import { agentAtWork, waitForAgent } from "./agent-at-work";
import type { PartOutcome } from "./connection";

/** How long a simulated key press takes by default, in milliseconds. */
export const TYPING_MS = 50;
/**
 * The slowest rate that a server may request, in milliseconds: a mistake of the server must not block the terminal
 * for minutes.
 */
const MAX_TYPING_MS = 1_000;
/** How long to wait before a broken stream is opened again, in milliseconds. */
const RETRY_MS = 5_000;
/** How often to check while no agent is working here, in milliseconds: one may be working in another browser. */
const LOOK_MS = 60_000;
/** The pause after a stream that stayed open as long as asked, in milliseconds. */
const AGAIN_MS = 500;
/** The pause after a stream that ended sooner, in milliseconds: without a running sandbox, it ends at once. */
const SANDBOX_MS = 5_000;
/** How long a stream is asked to stay open, in seconds: while an agent is working, and for a check. */
const STAY_S = 30;
const GLANCE_S = 0;

interface ServerCommand {
  command: string;
  /** Whether to request Enter from the sandbox. */
  run: boolean;
  simulateTyping: boolean;
  /** How long each key press takes, in milliseconds. */
  typingMs: number;
}

/** One event of the stream; undefined if it is not a command. */
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

interface Typist {
  /** Sends a part of a command, after what was typed of it before. */
  type: (command: string, after: string, part: string) => PartOutcome;
  /** Requests Enter if the prompt holds exactly this text; false if there is no shell. */
  run: (command: string) => boolean;
  wait: (milliseconds: number) => Promise<void>;
}

/**
 * Types a command and, if it may run at once, requests Enter from the sandbox: this page never presses Enter itself.
 * False if the shell has gone away. The connection's `onNotTyped` shows a command that the sandbox refuses.
 */
export async function typeCommand(typist: Typist, { command, ...how }: ServerCommand): Promise<boolean> {
  let after = "";
  for (const part of how.simulateTyping ? command : [command]) {
    const done = typist.type(command, after, part);
    if (done !== "sent") return done === "refused";
    after += part;
    if (how.simulateTyping) await typist.wait(how.typingMs);
  }
  return !how.run || typist.run(command);
}

interface CommandsParts extends Pick<Typist, "type" | "run"> {
  /** Shows a line in the terminal itself. */
  onNotice: (text: string) => void;
  /** Shows a command that found no shell. */
  onLost: (command: string) => void;
}

/**
 * Follows the stream until `signal` ends it or the project turns out to be deleted, resuming after each break; types
 * one command after another.
 */
export async function followCommands(parts: CommandsParts, signal: AbortSignal): Promise<void> {
  // The end of the signal ends a wait; the loop sees it.
  const wait = (milliseconds: number) => pause(milliseconds, signal).catch(() => undefined);
  const typist = { type: parts.type, run: parts.run, wait };
  let last: string | undefined;
  while (!signal.aborted) {
    const seconds = agentAtWork() ? STAY_S : GLANCE_S;
    const began = Date.now();
    try {
      const stream = await commandStream({ wait: seconds, last }, signal);
      if (!stream) return;
      for await (const { data, id } of serverEvents(stream)) {
        // Recorded before it is typed: a command that broke off halfway must not be typed a second time.
        last = id ?? last;
        const command = serverCommand(data);
        if (command && !(await typeCommand(typist, command))) {
          parts.onNotice("Error executing command");
          parts.onLost(command.command);
        }
      }
    } catch (error) {
      if (!signal.aborted) console.info("The stream of commands broke off", error);
      await wait(RETRY_MS);
      continue;
    }
    const stayed = Date.now() - began >= seconds * 1_000;
    await (agentAtWork() ? wait(stayed ? AGAIN_MS : SANDBOX_MS) : waitForAgent(LOOK_MS, signal));
  }
}
