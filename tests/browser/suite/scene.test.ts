import assert from "node:assert/strict";
import { test } from "node:test";
import { scene } from "../support/scene.ts";

const { story, visitor } = scene();
let runs = 0;
let changes = 0;

story("a story in which Chromium crashes starts over on a new stack", async (t) => {
  runs += 1;
  const { page, url } = await visitor(t);
  if (runs === 1) await page.goto("chrome://crash");
  const response = await page.goto(url);
  assert.ok(response?.ok());
});

test("the story ran a second time after the crash", () => assert.equal(runs, 2));

story("a story during which the machine's network changes starts over", async (t) => {
  changes += 1;
  const { page, url } = await visitor(t);
  // Chromium's own page for the error with this number: a request aborted because the network changed.
  if (changes === 1) await page.goto("chrome://network-error/-21");
  const response = await page.goto(url);
  assert.ok(response?.ok());
});

test("the story ran a second time after the network changed", () => assert.equal(changes, 2));
