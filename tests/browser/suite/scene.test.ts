import assert from "node:assert/strict";
import { test } from "node:test";
import { scene } from "../support/scene.ts";

const { story, visitor } = scene();
let runs = 0;

story("a story in which Chromium crashes starts over on a new stack", async (t) => {
  runs += 1;
  const { page, url } = await visitor(t);
  if (runs === 1) await page.goto("chrome://crash");
  const response = await page.goto(url);
  assert.ok(response?.ok());
});

test("the story ran a second time after the crash", () => assert.equal(runs, 2));
