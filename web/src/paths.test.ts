import { expect, test } from "vitest";
import { afterCosts, lastSegment, paths, projectIdOf } from "./paths";

test("the project is the digits after /app/", () => {
  expect(projectIdOf("/app/12")).toBe(12);
  expect(projectIdOf("/app/12/home/devops-helper")).toBe(12);
  expect(projectIdOf("/app")).toBeUndefined();
  expect(projectIdOf("/app/12x")).toBeUndefined();
  expect(projectIdOf("/app/credits/success")).toBeUndefined();
});

test("the cost page knows where to return to", () => {
  expect(paths.costs(5)).toBe("/app/5/costs");
  expect(paths.costs(5, "home")).toBe("/app/5/costs?returnTo=home");
});

test("the costs lead back to where they were looked at from", () => {
  expect(paths.costs(7, lastSegment("/app/7/home/"))).toBe("/app/7/costs?returnTo=home");
  expect(afterCosts(7, "home")).toBe("/app/7/home");
  expect(afterCosts(7, "documentation")).toBe("/app/7/home/documentation");
  expect(afterCosts(7, "nowhere")).toBe("/app/7");
  expect(afterCosts(7, null)).toBe("/app/7");
});
