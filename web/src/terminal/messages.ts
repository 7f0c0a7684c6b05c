import { type Frame, readFrame } from "../socket/frame";
import type { FilesAnswer, FilesRequest, FromBrowser, LinkState, ToBrowser } from "../socket/protocol";

/** The messages between the terminal and the gateway: JSON text frames with a `type`. */
export type ToGateway = Exclude<FromBrowser, FilesRequest>;
type FromGateway = Exclude<ToBrowser, FilesAnswer>;

/** The name of every project's main terminal; others have their own names. */
export const MAIN_TERMINAL = "main";

/** The terminal of a message: one without a name is about the main one. */
const terminalOf = ({ text }: Frame) => text("terminal") || MAIN_TERMINAL;

/** One reader for each type of message: a new type in the protocol does not compile without one. */
const READERS: {
  [T in FromGateway["type"]]: (frame: Frame) => Extract<FromGateway, { type: T }> | undefined;
} = {
  output: (frame) => outputOf(frame, frame.field("offset"), frame.field("next")),
  status: ({ field, text }) => {
    const state = stateOf(field("state"));
    return state && { type: "status", state, detail: text("detail"), announces: field("announces") === true };
  },
  changed: () => ({ type: "changed" }),
  exit: (frame) => ({
    type: "exit",
    terminal: terminalOf(frame),
    exit_code: frame.number("exit_code", 0),
  }),
  not_typed: (frame) => ({
    type: "not_typed",
    terminal: terminalOf(frame),
    command: frame.text("command"),
  }),
  error: ({ text }) => ({ type: "error", detail: text("detail") }),
};

/** A message from the gateway; undefined for messages that this version does not support. */
export function fromGateway(frame: unknown): FromGateway | undefined {
  const read = readFrame(frame);
  const type = read?.field("type");
  return read && typeof type === "string" && isKnown(type) ? READERS[type](read) : undefined;
}

const isKnown = (type: string): type is FromGateway["type"] => Object.hasOwn(READERS, type);

const STATES: Record<LinkState, true> = { attached: true, waiting: true, lost: true };

const stateOf = (state: unknown): LinkState | undefined =>
  typeof state === "string" && Object.hasOwn(STATES, state) ? (state as LinkState) : undefined;

function outputOf(
  frame: Frame,
  offset: unknown,
  next: unknown,
): Extract<FromGateway, { type: "output" }> | undefined {
  if (typeof offset !== "number" || typeof next !== "number") return undefined;
  return { type: "output", data: frame.text("data"), terminal: terminalOf(frame), offset, next };
}
