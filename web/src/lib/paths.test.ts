import { expect, test } from "vitest";
import { backFrom, lastSegment, paths, projectIdOf, returnPath } from "./paths";

test("the project is the digits after /app/", () => {
  expect(projectIdOf("/app/12")).toBe(12);
  expect(projectIdOf("/app/12/home/devops-helper")).toBe(12);
  expect(projectIdOf("/app")).toBeUndefined();
  expect(projectIdOf("/app/12x")).toBeUndefined();
  expect(projectIdOf("/app/credits/success")).toBeUndefined();
});

test("the address of the costs, the audit or the timeline names the page to return to", () => {
  expect(paths.costs(5)).toBe("/app/5/costs");
  expect(paths.costs(5, "home")).toBe("/app/5/costs?returnTo=home");
  expect(paths.audit(5, "result")).toBe("/app/5/audit?returnTo=result");
  expect(paths.timeline(5)).toBe("/app/5/timeline");
});

test("these pages lead back to the page they were opened from", () => {
  expect(paths.costs(7, lastSegment("/app/7/home/"))).toBe("/app/7/costs?returnTo=home");
  expect(backFrom(7, "home")).toBe("/app/7/home");
  expect(backFrom(7, "documentation")).toBe("/app/7/home/documentation");
  expect(backFrom(7, "nowhere")).toBe("/app/7");
  expect(backFrom(7, null)).toBe("/app/7");
});

test("a sign-in leads back to the application and nowhere else", () => {
  for (const path of ["/app", "/app/7", "/app/7?stage=execution&panel=files", "/app/7/home#top"]) {
    expect(returnPath(path)).toBe(path);
    expect(paths.login(path)).toBe(`/api/github/login?return_to=${encodeURIComponent(path)}`);
  }
  const strangers = [
    "//evil.test",
    "https://evil.test/app",
    "/apple",
    "/app\\evil",
    "/app/ x",
    "/app/\n",
    "",
  ];
  for (const path of [...strangers, `/app/${"7".repeat(500)}`, null])
    expect(returnPath(path)).toBeUndefined();
});

test("the landing page gets the address to return to, and whether a session ended", () => {
  expect(paths.signIn("/app", false)).toBe("/");
  expect(paths.signIn("/app", true)).toBe("/?ended=1");
  expect(paths.signIn("/app/7?stage=execution", true)).toBe(
    "/?ended=1&return_to=%2Fapp%2F7%3Fstage%3Dexecution",
  );
});
