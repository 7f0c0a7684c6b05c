/** Every text of the workspace that names an error or a state has been shown on a screen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { execution } from "../catalogue/execution.ts";
import { home } from "../catalogue/home.ts";
import { pages } from "../catalogue/pages.ts";
import { planning } from "../catalogue/planning.ts";
import { ERRORS, STATES } from "../catalogue/texts.ts";
import { validation } from "../catalogue/validation.ts";
import { Witness } from "../catalogue/witness.ts";
import { scene } from "../support/scene.ts";

const cast = { ...scene(), witness: new Witness() };

planning(cast);
execution(cast);
validation(cast);
home(cast);
pages(cast);

test("every text of the catalogue was seen by one of the stories above", () => {
  assert.deepEqual(cast.witness.unseen, []);
  assert.equal(new Set([...ERRORS, ...STATES]).size, ERRORS.length + STATES.length, "a text is listed twice");
});
