/** The workspace around its stages: loading, projects in unusual stages, unknown addresses, and an ended session. */

import assert from "node:assert/strict";
import { answering, hold } from "../support/calls.ts";
import { drawn } from "../support/drawn.ts";
import type { Cast } from "./witness.ts";

export function pages({ user, story, witness }: Cast) {
  story(
    "workspace: its stages load, are missing, are switched off, or are unknown to this version",
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
      ] as const) {
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

  story("workspace: an ended session leads to the start, and nothing is kept", async (t) => {
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

  story("history: a timeline and an audit that are empty, or cannot be read", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    const audit = "**/api/projects/*/audit";
    for (const [place, broken, empty] of [
      ["timeline", "The timeline could not be read", "Nothing has happened yet"],
      ["audit", "The audit could not be read", "Nothing decided yet"],
    ] as const) {
      await answering(page, audit, { status: 400, json: { detail: "no", code: "internal" } });
      await page.goto(`/app/${project}/${place}`);
      await witness.see(page, broken);
      await page.unroute(audit);
      await page.getByRole("button", { name: "Try again" }).click();
      await witness.see(page, empty);
    }
  });

  story("history: a timeline that cannot be exported can be tried again", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("architecture");
    const written = "**/api/planning/documents/*/versions/*";
    await answering(page, written, { status: 400, json: { detail: "no", code: "internal" } });
    await page.goto(`/app/${project}/timeline`);
    const button = page.getByRole("button", { name: "HTML" });
    await button.click();
    await witness.see(page, "The timeline could not be exported. {message}", { message: "no" });
    await page.unroute(written);
    const saved = page.waitForEvent("download");
    await button.click();
    assert.equal((await saved).suggestedFilename(), "health-page-timeline.html");
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  story("history: links that cannot be listed, made or withdrawn", async (t) => {
    const owner = await user(t);
    const { page } = owner;
    const project = await owner.projectAt("requirements");
    const [all, one] = ["**/api/projects/*/shares", "**/api/projects/*/shares/*"];
    const broken = { status: 400, json: { detail: "no", code: "internal" } };
    await answering(page, all, broken);
    await page.goto(`/app/${project}/timeline`);
    await page.getByRole("button", { name: "Share" }).click();
    await witness.see(page, "The links could not be listed");
    await page.getByRole("button", { name: "Create a link" }).click();
    await witness.see(page, "The link could not be created. {message}", { message: "no" });
    await page.unroute(all);
    await page.getByRole("button", { name: "Create a link" }).click();
    const withdraw = page.getByRole("button", { name: "Withdraw the link" });
    await withdraw.waitFor();
    await answering(page, one, broken);
    await withdraw.click();
    await witness.see(page, "The link could not be withdrawn. {message}", { message: "no" });
    await page.unroute(one);
    await withdraw.click();
    await page.getByText("This timeline is not shared.").waitFor();
  });

  story("workspace: costs that cannot be read stay empty without an error", async (t) => {
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
