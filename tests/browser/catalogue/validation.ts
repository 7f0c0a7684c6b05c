/** The validation's plan and the start of its checks. */

import { answering } from "../support/calls.ts";
import type { Cast } from "./witness.ts";
import { trouble } from "./witness.ts";

const PLAN = "**/api/validation/plan";
const CHECKS = "**/api/validation/progress";

export function validation({ user, story, witness }: Cast) {
  story("validation: a plan that is invalid, cannot be read, or fails without a message", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("validation");
    await page.addInitScript(() => {
      const { fetch } = window;
      // Only a browser that fails without an error message has none to pass on.
      window.fetch = (input, init) => {
        const url = String(input instanceof Request ? input.url : input);
        if (window.wordless && url.endsWith("/validation/plan")) return Promise.reject(new Error(""));
        return fetch(input, init);
      };
    });
    await answering(page, PLAN, { json: { status: "nothing" } });
    await owner.open(project);
    await witness.see(page, "Failed to fetch validation plan: Invalid response format");
    const again = page.getByRole("button", { name: "Try again" });
    await answering(page, PLAN, trouble("The table is away", 400));
    await again.click();
    await witness.see(page, "Error fetching validation plan: {message}", { message: "The table is away" });
    await page.evaluate(() => {
      window.wordless = true;
    });
    await again.click();
    await witness.see(page, "Error fetching validation plan: Unknown error");
  });

  story("validation: checks that do not start", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("validation");
    const checks: Schemas["ValidationProgress"] = await owner.call("GET", "/validation/progress", {
      project,
    });
    const steps = checks.steps.map((step) => ({ ...step, status: "pending", running: false }));
    await answering(page, CHECKS, { json: { ...checks, steps } });
    await answering(page, "**/api/validation/trigger", { json: { status: "error", detail: "no" } });
    await owner.open(project);
    await page.getByRole("button", { name: "Start Validation" }).click();
    await witness.see(page, "Failed to start validation.");
  });
}
