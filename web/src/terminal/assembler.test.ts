import fc from "fast-check";
import { expect, test } from "vitest";
import { Assembler, type Piece } from "./assembler";

/** Some text cut into pieces, as the sandbox sends them. */
function pieces(texts: string[]): Piece[] {
  let next = 0;
  return texts.map((data) => {
    const offset = next;
    next += new TextEncoder().encode(data).length;
    return { offset, next, data };
  });
}

const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 40,
});
/** Every piece, some of them repeated, in any order. */
const deliveries = texts
  .map(pieces)
  .chain((sent) =>
    fc
      .array(fc.constantFrom(...sent), { maxLength: 40 })
      .chain((again) =>
        fc.tuple(
          fc.constant(sent),
          fc.shuffledSubarray([...sent, ...again], { minLength: sent.length + again.length }),
        ),
      ),
  );

test("pieces in any order and any number of times give the stream once", () => {
  fc.assert(
    fc.property(deliveries, ([sent, delivered]) => {
      const assembler = new Assembler();
      const got = delivered.map((piece) => assembler.push(piece)).join("");
      expect(got).toBe(sent.map((piece) => piece.data).join(""));
      expect(assembler.next).toBe(sent.at(-1)?.next);
      expect(assembler.waiting).toBe(false);
    }),
  );
});

test("a stream cut differently after a reconnect continues where it stopped", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", minLength: 2, maxLength: 60 }), fc.nat(), (text, place) => {
      const at = place % text.length;
      const assembler = new Assembler();
      const first = assembler.push({ offset: 0, next: at, data: text.slice(0, at) });
      const replay = assembler.push({ offset: 0, next: text.length, data: text });
      expect(first + replay).toBe(text);
    }),
  );
});

test("only the new part of an overlapping piece is returned", () => {
  const assembler = new Assembler(4);
  expect(assembler.push({ offset: 2, next: 8, data: "cdefgh" })).toBe("efgh");
});

test("a piece without text marks a lost beginning", () => {
  const assembler = new Assembler();
  expect(assembler.push({ offset: 1000, next: 1002, data: "ok" })).toBe("");
  expect(assembler.waiting).toBe(true);
  expect(assembler.push({ offset: 0, next: 1000, data: "" })).toBe("ok");
  expect(assembler.next).toBe(1002);
});

test("the buffer for early pieces is bounded", () => {
  const assembler = new Assembler();
  for (let at = 1; at <= 1_000; at += 1) assembler.push({ offset: at * 2, next: at * 2 + 1, data: "x" });
  expect(assembler.push({ offset: 0, next: 2_100, data: "all" })).toBe("all");
  expect(assembler.waiting).toBe(false);
});
