import fc from "fast-check";
import { expect, test } from "vitest";
import { UNMARKED } from "../api/drafts";
import { asSent, moved, unmarked, withoutSecret, withSecret } from "./draft";

const range = (start: number, end: number) => ({ start, end });

test("a part is marked secret, marked not secret, or unmarked; the last mark counts", () => {
  const secret = withSecret(UNMARKED, range(2, 5));
  expect(secret).toEqual({ secrets: [range(2, 5)], notSecrets: [] });
  expect(withoutSecret(secret, range(4, 6))).toEqual({ secrets: [], notSecrets: [range(4, 6)] });
  expect(withSecret(withoutSecret(UNMARKED, range(0, 3)), range(1, 2)).notSecrets).toEqual([]);
  expect(unmarked(secret, range(3, 4))).toEqual(UNMARKED);
});

test("marks move with their words and are removed with them", () => {
  const marks = withSecret(UNMARKED, range(3, 7));
  expect(moved(marks, "is pass ok", "it is pass ok").secrets).toEqual([range(6, 10)]);
  expect(moved(marks, "is pass ok", "is pass okay").secrets).toEqual([range(3, 7)]);
  expect(moved(marks, "is pass ok", "is poss ok").secrets).toEqual([]);
  expect(moved(marks, "is pass ok", "").secrets).toEqual([]);
});

test("a mark that stays is on the very same characters", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.nat(),
      fc.nat(),
      fc.string(),
      fc.nat(),
      fc.nat(),
      (text, a, b, typed, c, d) => {
        const cut = (n: number) => n % (text.length + 1);
        const [start, end] = [Math.min(cut(a), cut(b)), Math.max(cut(a), cut(b))];
        const [from, to] = [Math.min(cut(c), cut(d)), Math.max(cut(c), cut(d))];
        const after = text.slice(0, from) + typed + text.slice(to);
        for (const kept of moved(withSecret(UNMARKED, range(start, end)), text, after).secrets) {
          expect(after.slice(kept.start, kept.end)).toBe(text.slice(start, end));
        }
      },
    ),
  );
});

test("a sent message has no surrounding white space, and its marks are shifted", () => {
  const { message, marks } = asSent("  my key  ", withSecret(UNMARKED, range(5, 10)));
  expect(message).toBe("my key");
  expect(marks.secrets.map(({ start, end }) => message.slice(start, end))).toEqual(["key"]);
});
