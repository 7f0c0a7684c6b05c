import { expect, test } from "vitest";
import type { ProjectState } from "../api/project-states";
import { isChangeable, isTornDown } from "./torn-down";

type Kind = NonNullable<ProjectState["change"]>["kind"];

const at = (is_completed: boolean, kind?: Kind) =>
  ({ stages: [{ is_completed }], change: kind ? { kind } : null }) as ProjectState;

test("a project that is torn down offers no further change", () => {
  expect(isChangeable(at(true, "tear_down"))).toBe(false);
  expect(isTornDown(at(true, "tear_down"))).toBe(true);
  expect(isTornDown(at(false, "tear_down"))).toBe(false);
});

test("a project can be changed once all of its stages are completed", () => {
  expect(isChangeable(at(true))).toBe(true);
  expect(isChangeable(at(true, "change"))).toBe(true);
  expect(isChangeable(at(false, "change"))).toBe(false);
  expect(isChangeable({ ...at(true), stages: [] })).toBe(false);
});
