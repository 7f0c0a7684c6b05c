import { expect, test } from "vitest";
import type { Documents } from "../../api/documents";
import { oldStages } from "./old-stages";

const standing = (document: Documents["documents"][number]["document"], old: boolean) => ({
  document,
  version: 1,
  written_at: null,
  out_of_date: old ? ("requirements" as const) : null,
});

test("a stage is old when its document or its steps are, and documentation is not a stage", () => {
  expect(oldStages(undefined)).toEqual([]);
  const documents = [
    standing("requirements", false),
    standing("architecture", true),
    standing("documentation", true),
  ];
  expect(oldStages({ documents, steps_out_of_date: "requirements" })).toEqual(["architecture", "execution"]);
});
