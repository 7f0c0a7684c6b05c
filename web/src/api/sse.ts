export interface ServerEvent {
  data: string;
  /** The last id in the stream, with this event or before it: a new stream resumes after it. */
  id: string | undefined;
}

/** Only the payloads, for streams that cannot be resumed. */
export async function* eventData(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  for await (const { data } of serverEvents(bytes)) yield data;
}

/**
 * The events of a server-sent event stream, assembled from network chunks that may end anywhere, even in the middle of
 * a character. Comments keep a silent stream alive and are ignored.
 */
export async function* serverEvents(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the very end may be the first half of a line break.
      const settled = !done && rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, settled).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(settled);
      for (const line of lines) {
        if (line !== "") {
          id = fieldOf("id", line) ?? id;
          const piece = fieldOf("data", line);
          if (piece !== undefined) data.push(piece);
        } else if (data.length > 0) {
          yield { data: data.join("\n"), id };
          data = [];
        }
      }
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The value of a line's field, if the line has that field; skips comments and unused fields. */
function fieldOf(field: string, line: string): string | undefined {
  if (!line.startsWith(`${field}:`)) return undefined;
  const value = line.slice(field.length + 1);
  return value.startsWith(" ") ? value.slice(1) : value;
}
