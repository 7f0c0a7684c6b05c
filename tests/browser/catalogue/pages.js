/** The workspace around its stages: loading, projects with odd stages, unknown addresses, and a session that is over. */
import assert from "node:assert/strict";
import { drawn } from "../support/drawn.js";
import { answering, hold } from "./witness.js";

export function pages({ user, story, witness }) {
  story(
    "workspace: its stages load, are missing, are switched off, or are nothing this version knows",
    async (t) => {
      const owner = await user(t);
      const { page } = owner;
      const project = await owner.projectAt("requirements");
      const known = await owner.call("GET", `/project-states/${project}`, { project });
      const path = `**/api/project-states/${project}`;
      const release = await hold(page, path);
      await owner.open(project);
      await witness.see(page, "Loading project...");
      release();
      const [first] = known.stages;
      for (const [stages, text, index] of [
        [[], "No stages configured"],
        [[{ ...first, is_enabled: false }], "No stages available"],
        [[{ ...first, agent_id: null }], "No agent configured for this stage"],
        [[{ ...first, agent_id: "gardener" }], "Unknown agent type"],
        [[first], "No stage selected", "none"],
      ]) {
        await page.unroute(path);
        await answering(page, path, { json: { ...known, stages, current_stage_index: index ?? 0 } });
        await page.reload();
        await witness.see(page, text);
      }
    },
  );

  story("workspace: an address that leads nowhere", async (t) => {
    const owner = await user(t);
    await owner.page.goto("/app/1/nowhere");
    await witness.see(owner.page, "The page you're looking for doesn't exist.");
  });

  story("workspace: a session that is over ends at the start, with nothing kept", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    await answering(page, "**/api/planning/requirements", {
      status: 401,
      json: { detail: "gone", code: "unauthorized" },
    });
    await owner.open(project);
    await page.waitForURL((url) => url.pathname === "/");
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });

  story("workspace: costs that cannot be read stay empty and tell nobody", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    await answering(page, "**/api/projects/*/costs", {
      status: 400,
      json: { detail: "no", code: "internal" },
    });
    const refused = page.waitForResponse("**/api/projects/*/costs");
    await owner.open(project);
    await refused;
    await page.getByText("Project cost", { exact: true }).waitFor();
    await drawn(page);
    assert.equal(await page.getByText(/\$\d/).count(), 0);
    assert.equal(await page.getByRole("alert").count(), 0);
  });
}
