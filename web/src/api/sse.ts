/**
 * The payloads of a server-sent event stream, put together from network chunks that may end anywhere, also in the
 * middle of a character. Comments keep a silent stream alive and carry nothing.
 */
export async function* eventData(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the very end may be the first half of a line break.
      const settled = !done && rest.endsWith("\r") ? rest.length - 1 : rest.length;
      const lines = rest.slice(0, settled).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + rest.slice(settled);
      for (const line of lines) {
        if (line !== "") data = withLine(data, line);
        else if (data.length > 0) {
          yield data.join("\n");
          data = [];
        }
      }
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Only `data:` matters here; comments and other fields leave the event as it is. */
function withLine(data: string[], line: string): string[] {
  if (!line.startsWith("data:")) return data;
  return [...data, line.slice(line.startsWith("data: ") ? 6 : 5)];
}
