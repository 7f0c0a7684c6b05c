import assert from "node:assert/strict";
import { test } from "node:test";
import { scene } from "../support/scene.js";

const { story, visitor } = scene();
let told = 0;

story("a story under which Chromium crashes starts over on a new stack", async (t) => {
  told += 1;
  const { page, url } = await visitor(t);
  if (told === 1) await page.goto("chrome://crash");
  const response = await page.goto(url);
  assert.ok(response?.ok());
});

test("a crash is survived once", () => assert.equal(told, 2));
