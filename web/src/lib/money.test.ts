import { expect, test } from "vitest";
import { percent } from "./money";

test("a share is shown in whole percent, and a small one not as nothing", () => {
  expect([0, 0.001, 0.424, 0.996, 1].map(percent)).toEqual(["0%", "< 1%", "42%", "100%", "100%"]);
});
