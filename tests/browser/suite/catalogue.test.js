/** Every text of the workspace that names an error or a state has been on a screen, and none is forgotten. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { execution } from "../catalogue/execution.js";
import { home } from "../catalogue/home.js";
import { pages } from "../catalogue/pages.js";
import { planning } from "../catalogue/planning.js";
import { ERRORS, STATES } from "../catalogue/texts.js";
import { validation } from "../catalogue/validation.js";
import { Witness } from "../catalogue/witness.js";
import { scene } from "../support/scene.js";

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
