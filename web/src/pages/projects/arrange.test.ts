import { expect, test } from "vitest";
import type { Project } from "../../api/projects";
import { arranged, asOrder } from "./arrange";

const project = (
  id: number,
  name: string,
  created: number,
  updated: number,
  description: string | null = null,
): Project => ({
  id,
  name,
  description,
  created_at: `2026-11-${created}T00:00:00Z`,
  updated_at: `2026-11-${updated}T00:00:00Z`,
  archived: false,
});
const projects = [
  project(1, "Shop 10", 11, 20, "PostgreSQL on a server"),
  project(2, "shop 9", 12, 19),
  project(3, "Café monitoring", 10, 18, "Prometheus"),
];
const names = (search: string, order = "updated") =>
  arranged(projects, search, asOrder(order)).map(({ id }) => id);

test("projects are found by every word of their name and description", () => {
  expect(names("")).toEqual([1, 2, 3]);
  expect(names("SHOP")).toEqual([1, 2]);
  expect(names("server shop")).toEqual([1]);
  expect(names("cafe")).toEqual([3]);
  expect(names("nothing")).toEqual([]);
});

test("projects are sorted as chosen", () => {
  expect(names("", "created")).toEqual([2, 1, 3]);
  expect(names("", "name")).toEqual([3, 2, 1]);
  expect(names("", "no order")).toEqual([1, 2, 3]);
});
