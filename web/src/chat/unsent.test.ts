import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UNMARKED } from "../api/drafts";
import { drafts } from "../lib/drafts";
import { withSecret } from "./draft";
import { beginning, dropReturned, dropSent, isHarmlessDraft, keepUnsent } from "./unsent";

const DRAFT = "1:executor";
const typed = (message: string, marks = UNMARKED) => ({ message, marks });

beforeEach(() => {
  vi.useFakeTimers();
  const entries = new Map([["github_installation_id", "7"]]);
  vi.stubGlobal("window", { location: { pathname: "/app/1" } });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  });
});

afterEach(() => {
  dropReturned(DRAFT);
  drafts.drop(DRAFT);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a message that was not accepted begins the next draft, before what was typed since", () => {
  keepUnsent(DRAFT, typed("the key is abc", withSecret(UNMARKED, { start: 11, end: 14 })), false);
  keepUnsent(DRAFT, typed("another"), false);
  drafts.put(DRAFT, { text: "more xyz", marks: withSecret(UNMARKED, { start: 5, end: 8 }) });
  const { text, marks } = beginning(DRAFT, true);
  expect(text).toBe("the key is abc\n\nanother\n\nmore xyz");
  expect(marks.secrets.map(({ start, end }) => text.slice(start, end))).toEqual(["abc", "xyz"]);
  expect(beginning(DRAFT, false).text).toHaveLength(text.length);
  dropReturned(DRAFT);
  expect(beginning(DRAFT, true).text).toBe("more xyz");
});

test("a message that is sent again does not return, and fails twice as one", () => {
  keepUnsent(DRAFT, typed("first"), false);
  keepUnsent(DRAFT, typed("second"), false);
  keepUnsent(DRAFT, typed("second"), false);
  dropSent(DRAFT, "first");
  expect(beginning(DRAFT, true).text).toBe("second");
  dropSent(DRAFT, "second");
  expect(beginning(DRAFT, true).text).toBe("");
});

test("only a message in which a search found no secret may be stored without another search", () => {
  const value = { text: "harmless", marks: UNMARKED };
  drafts.put(DRAFT, value);
  expect(isHarmlessDraft(DRAFT, "harmless")).toBe(false);
  drafts.allow(DRAFT, value);
  expect(isHarmlessDraft(DRAFT, "harmless")).toBe(true);
  expect(isHarmlessDraft(DRAFT, "something else")).toBe(false);
  drafts.drop(DRAFT);
  keepUnsent(DRAFT, typed("harmless"), true);
  expect(drafts.wouldLose()).toBe(false);
  keepUnsent(DRAFT, typed("password: hunter2"), false);
  expect(drafts.wouldLose()).toBe(true);
});
