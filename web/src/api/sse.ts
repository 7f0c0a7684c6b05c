import { createParser } from "eventsource-parser";

interface ServerEvent {
  data: string;
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
  let ready: ServerEvent[] = [];
  const parser = createParser({ onEvent: ({ data, id }) => ready.push({ data, id }) });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A carriage return at the very end may be the first half of a line break, until the other half comes.
      parser.feed(done ? `${decoder.decode()}\n` : decoder.decode(value, { stream: true }));
      yield* ready;
      ready = [];
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
