import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { drafts } from "../lib/drafts";
import { dropChecked, keepChecked, partsOf, typedLines } from "./checked-draft";
import { draftSecrets, type Found } from "./drafts";

const KEY = "1:executor";
const UNMARKED = { secrets: [], notSecrets: [] };
const FIND: Found = { start: 0, end: 7, kind: "password", name: "PASSWORD" };

vi.mock("./drafts", () => ({ draftSecrets: vi.fn() }));

/** The searches that were asked for, in their order. */
let asked: { text: string; project: number | undefined; answer: (found: Found[]) => void }[];
let stored: string[];
let searched: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  stored = [];
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => (key === "github_installation_id" ? "7" : null),
    setItem: (_: string, value: string) => stored.push(value),
    removeItem: () => stored.push("nothing"),
  });
  vi.stubGlobal("window", { location: { pathname: "/app/77" } });
  vi.mocked(draftSecrets).mockImplementation(
    (text, _, project) =>
      new Promise((answer) => {
        asked.push({ text, project, answer });
        searched();
      }),
  );
});
afterEach(() => {
  dropChecked(KEY);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const keep = (text: string, onFound?: (found: Found[]) => void) =>
  keepChecked(KEY, text, { message: text, marks: UNMARKED }, onFound);

/** Waits for the next search. */
async function search() {
  const next = new Promise<void>((resolve) => {
    searched = resolve;
  });
  await vi.advanceTimersByTimeAsync(300);
  await next;
  const last = asked.at(-1);
  if (!last) throw new Error("There was no search");
  return last;
}

/** What the storage gets if the document goes now. */
function kept(): string | undefined {
  drafts.store();
  return stored.at(-1);
}

/** Answers a search and waits until the answer counts. */
async function answered(text: string, found: Found[]) {
  const done = new Promise<Found[]>((resolve) => keep(text, resolve));
  (await search()).answer(found);
  return done;
}

test("a draft is stored after the search that found nothing in it, not before", async () => {
  keep("half a sentence");
  expect(drafts.get(KEY)).toBe("half a sentence");
  expect(kept()).toBe("nothing");
  await answered("half a sentence", []);
  expect(asked.map(({ text, project }) => [text, project])).toEqual([["half a sentence", 77]]);
  expect(kept()).toBe('{"1:executor":"half a sentence"}');
});

test("a draft with a secret is not stored, nor what it was before", async () => {
  await answered("harmless", []);
  expect(await answered("hunter2 and harmless", [FIND])).toEqual([FIND]);
  expect(drafts.get(KEY)).toBe("hunter2 and harmless");
  expect(kept()).toBe("nothing");
  await answered("harmless again", []);
  expect(kept()).toBe('{"1:executor":"harmless again"}');
});

test("a part that its author marked as secret is not stored, whatever a search says", async () => {
  const marks = { secrets: [{ start: 0, end: 9 }], notSecrets: [] };
  const done = new Promise((resolve) =>
    keepChecked(KEY, "swordfish", { message: "swordfish", marks }, resolve),
  );
  (await search()).answer([]);
  await done;
  expect(kept()).toBe("nothing");
});

test("only a pause leads to a search, and only the last text counts", async () => {
  const first = vi.fn();
  keep("a", first);
  await vi.advanceTimersByTimeAsync(200);
  keep("ab");
  const slow = await search();
  expect(asked.map(({ text }) => text)).toEqual(["ab"]);
  await answered("abc", [FIND]);
  slow.answer([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(first).not.toHaveBeenCalled();
  expect(kept()).toBe("nothing");
});

test("a search goes on after its page, in the project of its text", async () => {
  const done = new Promise((resolve) => keep("half a sentence", resolve));
  window.location.pathname = "/app";
  const last = await search();
  expect(last.project).toBe(77);
  last.answer([]);
  await done;
  expect(kept()).toBe('{"1:executor":"half a sentence"}');
});

test("white space needs no search", () => {
  keep(" \n");
  expect(kept()).toBe('{"1:executor":" \\n"}');
});

test("only the lines that were typed into a script are searched", () => {
  const script = "set -eu\nexport DB_PASSWORD=Tr0ub4dor\necho done";
  expect(typedLines(script, script)).toBe("");
  expect(typedLines(script, `echo mine\n${script}\nexport TOKEN=x`)).toBe("echo mine\nexport TOKEN=x");
  expect(typedLines("", "echo mine")).toBe("echo mine");
});

test("a long text is searched in parts that overlap and cut no character", () => {
  const text = `${"x".repeat(11_999)}😀${"y".repeat(7_998)}😀${"z".repeat(20_000)}`;
  const parts = partsOf(text);
  expect(parts.every((part) => part.text.length <= 20_001)).toBe(true);
  expect(
    parts.every((part) => Array.from(part.text).every((c) => c.length === 2 || !/[\uD800-\uDFFF]/.test(c))),
  ).toBe(true);
  expect(parts.every((part) => text.startsWith(part.text, part.start))).toBe(true);
  const last = parts.at(-1);
  expect((last?.start ?? 0) + (last?.text.length ?? 0)).toBe(text.length);
  parts.slice(1).forEach((part, at) => {
    const before = parts[at];
    expect((before?.start ?? 0) + (before?.text.length ?? 0) - part.start).toBeGreaterThan(7_990);
  });
  expect(partsOf("short")).toEqual([{ start: 0, text: "short" }]);
});
