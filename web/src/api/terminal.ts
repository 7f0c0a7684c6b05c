import { API_BASE, api, body } from "./client";
import { callHeaders } from "./headers";

/** A single-use ticket for one terminal connection, valid for half a minute. */
export const terminalTicket = () => body(api.POST("/terminal/ticket"));

const COMMANDS = "/terminal/commands";

interface CommandsCall {
  /** How long the stream is asked to stay open, in seconds. */
  wait: number;
  /** The last event that this page has received. */
  last: string | undefined;
}

/**
 * Opens the stream of the commands that the server types; undefined without such a project or a session, which asking
 * again cannot change.
 */
export async function commandStream(
  { wait, last }: CommandsCall,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = new Headers({
    ...callHeaders(COMMANDS),
    Accept: "text/event-stream",
    Prefer: `wait=${wait}`,
  });
  if (last !== undefined) headers.set("Last-Event-ID", last);
  const response = await fetch(`${API_BASE}${COMMANDS}`, { headers, signal });
  if (response.status === 404 || response.status === 401) {
    // An unread answer would stay open as long as the page.
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok || !response.body) throw new Error(`HTTP error! status: ${response.status}`);
  return response.body;
}
