import { expect, test } from "vitest";
import { shownView, viewsOf } from "./views";

const step = { edited: null, earlier: null, prompt: "" };
const earlier = { command: "ls", error_message: null, reason: null };

test("a review shows only what its step has", () => {
  expect(viewsOf(step, false)).toEqual(["script"]);
  expect(viewsOf({ ...step, prompt: "List the files" }, true)).toEqual(["changes", "script", "plan"]);
});

test("a view that is gone gives way to the first one", () => {
  expect(shownView(viewsOf({ ...step, earlier }, true), "earlier")).toBe("earlier");
  expect(shownView(viewsOf(step, true), "earlier")).toBe("changes");
  expect(shownView(viewsOf(step, false), "edited")).toBe("script");
  expect(shownView(viewsOf(step, false), undefined)).toBe("script");
});
