import { expect, test } from "vitest";
import { type Desk, edited, isDirty, rebased, saved, toggled, unsavedPaths, withDraft } from "./desk";

const DESK: Desk = { expanded: new Set(), selected: "", file: "a", drafts: {} };
const SHOWN = { content: "one", sha256: "s1" };

test("typing makes a draft of the shown text, and typing it back removes it", () => {
  const typed = edited(DESK, "a", SHOWN, "one more");
  expect(typed.drafts).toEqual({ a: { base: "s1", saved: "one", text: "one more" } });
  expect(unsavedPaths(typed)).toEqual(["a"]);
  expect(edited(typed, "a", SHOWN, "one").drafts).toEqual({});
});

test("a file that changes during editing does not change the base of the draft", () => {
  const typed = edited(DESK, "a", SHOWN, "mine");
  const later = edited(typed, "a", { content: "theirs", sha256: "s2" }, "mine too");
  expect(later.drafts.a).toEqual({ base: "s1", saved: "one", text: "mine too" });
});

test("saving ends the draft, unless the user continued typing", () => {
  const typed = edited(DESK, "a", SHOWN, "two");
  expect(saved(typed, "a", "two", "s2").drafts).toEqual({});
  const on = edited(typed, "a", SHOWN, "two and");
  expect(saved(on, "a", "two", "s2").drafts.a).toEqual({ base: "s2", saved: "two", text: "two and" });
});

test("overwriting takes the other text as the base, or nothing if the file is gone", () => {
  const typed = edited(DESK, "a", SHOWN, "mine");
  expect(rebased(typed, "a", "s9").drafts.a?.base).toBe("s9");
  expect(rebased(typed, "a", null).drafts.a?.base).toBeNull();
  expect(rebased(DESK, "a", "s9")).toBe(DESK);
});

test("a new file is unsaved from the beginning", () => {
  const created = withDraft(DESK, "b", { base: null, saved: "", text: "" });
  expect(isDirty(created.drafts.b)).toBe(true);
  expect(edited(created, "b", { content: "", sha256: "" }, "").drafts.b?.base).toBeNull();
});

test("folders open and close, and the keyboard stays on them", () => {
  const open = toggled(DESK, "terraform", true);
  expect([...open.expanded]).toEqual(["terraform"]);
  expect(open.selected).toBe("terraform");
  expect([...toggled(open, "terraform", false).expanded]).toEqual([]);
});
