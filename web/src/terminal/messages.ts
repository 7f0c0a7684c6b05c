import { readFrame } from "./frame";

/** What the terminal and the gateway say to each other: JSON text frames told apart by `type`. */
export type ToGateway =
  | { type: "attach"; terminal: string; offset: number; rows: number; cols: number }
  | { type: "input"; terminal: string; input: string; seq: number; run_typed?: string }
  | { type: "resize"; terminal: string; rows: number; cols: number };

export type FromGateway =
  | { type: "output"; data: string; terminal: string; offset: number; next: number }
  | { type: "status"; state: "attached" | "waiting" | "lost"; detail: string }
  | { type: "exit"; terminal: string; exit_code: number }
  | { type: "error"; detail: string };

/** A message of the gateway; what this version does not know is passed over. */
export function fromGateway(frame: unknown): FromGateway | undefined {
  const read = readFrame(frame);
  if (!read) return undefined;
  const { field, text, number } = read;
  switch (field("type")) {
    case "output":
      return outputOf(text("data"), text("terminal") || "main", field("offset"), field("next"));
    case "status": {
      const state = field("state");
      if (state !== "attached" && state !== "waiting" && state !== "lost") return undefined;
      return { type: "status", state, detail: text("detail") };
    }
    case "exit":
      return {
        type: "exit",
        terminal: text("terminal") || "main",
        exit_code: number("exit_code", 0),
      };
    case "error":
      return { type: "error", detail: text("detail") };
    default:
      return undefined;
  }
}

function outputOf(data: string, terminal: string, offset: unknown, next: unknown): FromGateway | undefined {
  if (typeof offset !== "number" || typeof next !== "number") return undefined;
  return { type: "output", data, terminal, offset, next };
}
