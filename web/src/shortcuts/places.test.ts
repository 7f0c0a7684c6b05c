import { expect, test } from "vitest";
import type { ListedProject } from "../api/projects";
import { found, pages, places } from "./places";

const project = (id: number, name: string): ListedProject => ({
  id,
  name,
  description: null,
  created_at: "",
  updated_at: "",
  archived: false,
  stage: "requirements",
  stages_completed: 0,
  change: 1,
  torn_down: false,
  drifted_checks: 0,
  total_cost: "0.000000",
  container_status: "NotRunning",
});

test("the open project's own places come first, and every word counts", () => {
  const all = places([project(1, "Shop"), project(2, "Blog")], 1);
  expect(all[0]).toEqual({ label: "Requirements", hint: "Shop", to: "/app/1?stage=requirements" });
  expect(found(all, "blog").map(({ to }) => to)).toEqual(["/app/2"]);
  expect(found(all, "shop exec").map(({ to }) => to)).toEqual(["/app/1?stage=execution"]);
  expect(found(places([project(2, "Blog")], undefined), "").map(({ label }) => label)).toEqual([
    "My Projects",
    "Blog",
  ]);
});

test("names are found in any case, with or without accents, and actions by their names", () => {
  const all = [...places([project(3, "Café monitoring")], 3), ...pages("?sort=name")];
  expect(found(all, "CAFE changes").map(({ to }) => to)).toEqual(["/app/3/home/changes"]);
  expect(found(all, "new project").map(({ to }) => to)).toEqual(["/app?sort=name&begin=project"]);
});
