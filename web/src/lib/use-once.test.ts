import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TREE = join(import.meta.dirname, "..");

/** Actions that a person may repeat at once: reading, and choices that are taken back by choosing again. */
const REPEATABLE = [
  "credits/history.tsx",
  "drift/schedule.tsx",
  "files/new-file.tsx",
  "files/use-saving.ts",
  "guests/guest-list.tsx",
  "guests/policy-choice.tsx",
  "pages/audit.tsx",
  "pages/home/save-files.tsx",
  "pages/projects/from-repository.tsx",
  "planning/implementation-plan.tsx",
  "planning/use-confirm.ts",
  "repository/push-form.tsx",
  "review/edit-script.tsx",
  "stages/use-stages.ts",
  "steps/use-autonomy.ts",
  "timeline/export.tsx",
];

test("everything that creates something or happens once goes through useOnce", () => {
  const own = ["lib/use-once.ts"];
  const repeatable = readdirSync(TREE, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"))
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\buseMutation\(/.test(readFileSync(join(TREE, file), "utf8")))
    .filter((file) => !own.includes(file));
  expect(repeatable.sort()).toEqual(REPEATABLE);
});
