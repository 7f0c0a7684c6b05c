import fc from "fast-check";
import { expect, test } from "vitest";
import { eventData } from "./sse";

/** A stream that arrives in the given pieces. */
function arriving(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(chunks: Uint8Array[]): Promise<string[]> {
  const got: string[] = [];
  for await (const data of eventData(arriving(chunks))) got.push(data);
  return got;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Cuts bytes at the given positions, even inside characters. */
function cut(whole: Uint8Array, places: number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [...ends, whole.length].map((end, index) => whole.subarray(index === 0 ? 0 : ends[index - 1], end));
}

const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "·"));

test("events come out whole however the network cuts them", async () => {
  const event = fc.array(line, { minLength: 1, maxLength: 3 });
  const places = fc.array(fc.nat(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      places,
      async (events, end, places) => {
        const written = events.map((lines) => lines.map((text) => `data: ${text}${end}`).join("") + end);
        const stream = written.join(`: keep-alive${end}${end}`);
        expect(await read(cut(bytes(stream), places))).toEqual(events.map((lines) => lines.join("\n")));
      },
    ),
    { numRuns: 300 },
  );
});

test("several data lines are one event, and other fields are ignored", async () => {
  expect(await read([bytes("event: x\ndata: a\ndata:b\nid: 1\n\n:c\n\n")])).toEqual(["a\nb"]);
});

test("an unfinished event is not returned", async () => {
  expect(await read([bytes("data: one\n\ndata: tw")])).toEqual(["one"]);
});
